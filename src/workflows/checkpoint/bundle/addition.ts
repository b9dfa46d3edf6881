import { isDeepStrictEqual } from 'node:util';
import type { Addition, JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { hasRedaction } from '../../../redaction/redactions.ts';
import { type CountedList, highestEver, idAfter } from './ids.ts';
import { objectOf } from './json.ts';
import { MAX_BUNDLE_BYTES, sizeOf } from './limits.ts';
import { type ChangeStamp, header, stampedProject } from './stamp.ts';

export interface NewDecision {
  readonly text: string;
  readonly rationale?: string | undefined;
}

export interface NewTodo {
  readonly text: string;
  readonly status?: string | undefined;
}

/** An item that gets its id when it is added. */
export interface NewItem {
  readonly list: CountedList;
  readonly entry: (id: string, at: string) => JsonObject & { readonly id: string };
}

export function newDecision({ text, rationale }: NewDecision): NewItem {
  return {
    list: 'decisions',
    entry: (id, at) => ({ id, text, ...(rationale === undefined ? {} : { rationale }), at }),
  };
}

export function newTodo({ text, status }: NewTodo): NewItem {
  return { list: 'todos', entry: (id) => ({ id, text, status: status ?? 'open' }) };
}

/** The size of the member `project` up to which a note has the whole of it. */
const SMALL_PROJECT = 800;

/** The facts about a bundle that additions to it need. */
interface Note {
  readonly bundle_id: unknown;
  /** At least the size of the bundle in bytes. */
  readonly size: number;
  /** The highest numbers of ids in each list, those of items that are gone included. */
  readonly highest: Readonly<Record<CountedList, number>>;
  readonly counters?: JsonObject;
  readonly project?: JsonObject;
  /** True if `project` has only the members that are the gateway's own. */
  readonly isProjectCut?: boolean;
}

/** Returns the note of a bundle of a known size. */
export function noteOf(bundle: JsonObject, size: number): JsonObject {
  const { bundle_id, _counters: counters, project } = bundle;
  const note: Note = {
    bundle_id,
    size,
    highest: { decisions: highestEver(bundle, 'decisions'), todos: highestEver(bundle, 'todos') },
    ...(counters !== undefined && { counters: objectOf(counters) }),
    ...projectNote(project),
  };
  return { ...note };
}

function projectNote(project: unknown): Pick<Note, 'project' | 'isProjectCut'> {
  if (project === undefined) return {};
  const whole = objectOf(project);
  if (sizeOf(whole) <= SMALL_PROJECT) return { project: whole };
  const own = ['id', 'resolved_from', 'root_path_fingerprint'].filter((key) => Object.hasOwn(whole, key));
  return { project: Object.fromEntries(own.map((key) => [key, whole[key]])), isProjectCut: true };
}

/**
 * Returns the change that adds an item to a bundle, from the note of the bundle alone; `undefined` if that is not enough, then
 * `appendItem` adds it.
 */
export function additionTo(
  noted: JsonObject,
  { list, entry }: NewItem,
  stamp: ChangeStamp,
): Addition<{ readonly id: string }> | undefined {
  const note = noted as JsonObject & Note;
  const project = stampedProject(note.project, stamp);
  const isSameProject = isDeepStrictEqual(project, note.project);
  const id = idAfter(list, note.highest[list]);
  const item = entry(id, stamp.at);
  const members = {
    ...header(note.bundle_id, stamp),
    ...(!isSameProject && { project }),
    ...countersMember(note, list),
  };
  const size = note.size + sizeOf(item) + sizeOf(members) + sizeOf({ [list]: [] });
  const isEnough = isPlain(item) && size <= MAX_BUNDLE_BYTES && (isSameProject || note.isProjectCut !== true);
  if (!isEnough) return undefined;
  return { list, item, members, note: followingNote(note, list, size, members), outcome: { id } };
}

/** Returns false if something was redacted: that is listed in the order of the whole bundle. */
function isPlain(item: JsonObject): boolean {
  return !Object.values(item).some((value) => typeof value === 'string' && hasRedaction(value));
}

/** The new item has the highest number now: that is no longer noted beside the list. */
function countersMember({ counters }: Note, list: CountedList): { readonly _counters?: JsonObject | null } {
  if (counters === undefined || !Object.hasOwn(counters, list)) return {};
  const { [list]: _gone, ...others } = counters;
  return { _counters: Object.keys(others).length === 0 ? null : others };
}

function followingNote(note: Note, list: CountedList, size: number, members: JsonObject): JsonObject {
  const { counters: _before, ...rest } = note;
  const counters = members._counters === undefined ? note.counters : members._counters;
  return {
    ...rest,
    size,
    bundle_id: members.bundle_id,
    highest: { ...note.highest, [list]: note.highest[list] + 1 },
    ...(isPresent(counters) && { counters }),
    ...(members.project !== undefined && { project: members.project }),
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
