import { exactJson } from '../../core/json/exact-json.ts';
import type { Addition, JsonObject } from '../../core/stores/checkpoint-store.ts';
import type { MemberTexts } from './member-texts.ts';
import type { Step } from './step.ts';

/** The length of a member's text up to which an outline has it. */
const SHORT = 1_000;

/** The text of a short member, the length of the text of a list, and `null` for all others. */
type Member = string | number | null;

/** The facts about a bundle that appends need, kept beside it so that they need not read it. */
export interface Outline {
  /** The note that came with the bundle. */
  readonly note: JsonObject;
  readonly members: readonly (readonly [key: string, member: Member])[];
}

export function outlineOf(note: JsonObject, texts: MemberTexts): Outline {
  return { note, members: [...texts].map(([key, text]) => [key, memberOf(text)] as const) };
}

function memberOf(text: string): Member {
  if (text.startsWith('[')) return text.length;
  return text.length > SHORT ? null : text;
}

interface Extended {
  readonly outline: Outline;
  /** The step back to the bundle without the addition. */
  readonly back: Step;
}

/** Returns the outline of the bundle with an addition; `undefined` if this one does not tell enough. */
export function withAddition(outline: Outline, addition: Addition<unknown>): Extended | undefined {
  const members = new Map(outline.members);
  const edits = [...listEdit(members, addition), ...memberEdits(members, addition)];
  if (edits.includes(undefined)) return undefined;
  const before = outline.members.map(([key]) => key);
  const hasSameKeys = members.size === before.length && before.every((key) => members.has(key));
  return {
    outline: { note: addition.note, members: [...members] },
    back: { ...(!hasSameKeys && { keys: before }), edits: edits as Step['edits'] },
  };
}

type Edits = (Step['edits'][number] | undefined)[];

/** Adds the item's length to the list's, and returns the edit that takes the item away; `undefined` as an edit that is not known. */
function listEdit(members: Map<string, Member>, { list, item }: Addition<unknown>): Edits {
  const { length } = exactJson(item)!;
  const before = members.get(list);
  if (before === undefined) {
    members.set(list, length + '[]'.length);
    return [];
  }
  if (typeof before !== 'number') return [undefined];
  members.set(list, before + length + (before > '[]'.length ? ','.length : 0));
  return [[list, [before - 1, 1, '']]];
}

/** Replaces members, and returns the edits that bring the earlier ones back. */
function memberEdits(members: Map<string, Member>, addition: Addition<unknown>): Edits {
  const edits: Edits = [];
  for (const [key, value] of Object.entries(addition.members)) {
    const before = members.get(key);
    const next = value === null ? undefined : memberOf(exactJson(value)!);
    if (before === next) continue;
    if (before === undefined) members.set(key, next!);
    else if (typeof before !== 'string' || (next !== undefined && typeof next !== 'string')) edits.push(undefined);
    else {
      edits.push([key, [0, 0, before]]);
      if (next === undefined) members.delete(key);
      else members.set(key, next);
    }
  }
  return edits;
}
