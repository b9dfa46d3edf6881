import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { atOnce, inSlices, type Steps } from '../../../core/timing/steps.ts';
import { redactionsIn } from '../../../redaction/redactions.ts';
import { type NewItem, noteOf } from './addition.ts';
import { nextId, withCounters } from './ids.ts';
import { invalid, objectOf } from './json.ts';
import { checkBundleSize } from './limits.ts';
import { mergeBundle } from './merge.ts';
import { type ChangeStamp, header, stampedProject } from './stamp.ts';

/** The members to change; the rest stays. */
export interface TodoChange {
  readonly text?: string | undefined;
  readonly status?: string | undefined;
}

interface Todo {
  readonly id: string;
  readonly text: string;
  readonly status?: string | null;
}

/** The result for `CheckpointStore.update`: the next bundle, its note for additions, and what the caller wants to know about it. */
export interface Changed<T> {
  readonly bundle: JsonObject;
  readonly note?: JsonObject;
  readonly outcome: T;
}

/**
 * Returns the next bundle of a project after a patch that `parsePatch` has passed. `undefined` stands for a project that
 * has none.
 * @throws GatewayError if it would become too large.
 */
export function saveInto(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Changed<{ readonly bundleId: string }> {
  return atOnce(saving(bundle, patch, stamp));
}

/** Merges a large patch, or one into a large bundle, while other work goes on. See `saveInto`. */
export function saveInSlices(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Promise<Changed<{ readonly bundleId: string }>> {
  return inSlices(saving(bundle, patch, stamp));
}

function* saving(
  bundle: JsonObject | undefined,
  patch: JsonObject,
  stamp: ChangeStamp,
): Steps<Changed<{ readonly bundleId: string }>> {
  const before = bundle ?? {};
  const merged = mergeBundle(before, patch);
  yield;
  const { bundle: next, size } = yield* stamped(before, merged, stamp);
  return { bundle: next, note: noteOf(next, size), outcome: { bundleId: String(next.bundle_id) } };
}

/** Adds an item; its id has never been another one's. See `additionTo`, which does the same without the bundle. */
export function appendItem(
  bundle: JsonObject | undefined,
  { list, entry }: NewItem,
  stamp: ChangeStamp,
): Changed<{ readonly id: string }> {
  const id = nextId(bundle ?? {}, list);
  const { bundle: next, note } = saveInto(bundle, { [list]: [entry(id, stamp.at)] }, stamp);
  return { bundle: next, note: note!, outcome: { id } };
}

/**
 * Changes a todo in its place. If nothing changes, the bundle is the very one that was given.
 * @throws GatewayError `INVALID_PARAMS` if there is no such todo.
 */
export function updateTodo(
  bundle: JsonObject | undefined,
  id: string,
  changes: TodoChange,
  stamp: ChangeStamp,
): Changed<Todo> {
  const todos = (bundle?.todos as readonly Todo[] | undefined) ?? [];
  const todo = todos.find((candidate) => candidate.id === id);
  if (bundle === undefined || todo === undefined) throw invalid('todo_id', noSuchTodo(id, todos));
  const next = { ...todo, text: changes.text ?? todo.text, ...statusOf(changes, todo) };
  if (next.text === todo.text && next.status === todo.status) return { bundle, outcome: todo };
  return { ...saveInto(bundle, { todos: [next] }, stamp), outcome: next };
}

function statusOf(changes: TodoChange, todo: Todo): { readonly status?: string | null } {
  const status = changes.status ?? todo.status;
  return status === undefined ? {} : { status };
}

function noSuchTodo(id: string, todos: readonly Todo[]): string {
  const known = todos.slice(-20).map((todo) => todo.id);
  return known.length === 0
    ? `there is no todo "${id}": the project has none`
    : `there is no todo "${id}"; there are ${known.join(', ')}`;
}

/** Returns the gateway's own words about a bundle, in front of those that clients wrote. */
function* stamped(
  before: JsonObject,
  after: JsonObject,
  stamp: ChangeStamp,
): Steps<{ readonly bundle: JsonObject; readonly size: number }> {
  const counted = withCounters(before, after);
  yield;
  const bundle = withProject(withRedactions(counted), stamp);
  const next = header(before.bundle_id, stamp);
  const whole = { ...next, ...bundle, ...next };
  yield;
  const size = checkBundleSize(whole);
  yield;
  return { bundle: whole, size };
}

function withProject(bundle: JsonObject, stamp: ChangeStamp): JsonObject {
  const project = stampedProject(bundle.project, stamp);
  return project === undefined ? bundle : { ...bundle, project };
}

/** Lists what was taken out; found in the bundle itself, so that a place goes when its text goes. */
function withRedactions(bundle: JsonObject): JsonObject {
  const { redactions: _old, ...metadata } = objectOf(bundle.metadata);
  const redactions = redactionsIn({ ...bundle, metadata });
  const next = redactions.length === 0 ? metadata : { ...metadata, redactions };
  const { metadata: _before, ...rest } = bundle;
  return Object.keys(next).length === 0 ? rest : { ...rest, metadata: next };
}
