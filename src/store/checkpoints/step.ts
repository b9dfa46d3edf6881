import type { MemberTexts } from './member-texts.ts';

/** A text as a difference from another one: the lengths of the common start and end, and the text between them. */
type Edit = readonly [front: number, behind: number, between: string];

/** Long texts are compared in blocks of this many characters first, which is much faster. */
const BLOCK = 4_096;

/**
 * The step from one object to another. Bundles grow at the end of one of their lists, so that a step is short: the
 * members that differ, and of these the part that differs.
 */
export interface Step {
  /** The keys of the other object, where they are not the same in the same order. */
  readonly keys?: readonly string[];
  readonly edits: readonly (readonly [key: string, edit: Edit])[];
}

export function stepBetween(from: MemberTexts, to: MemberTexts): Step {
  const edits: [string, Edit][] = [];
  for (const [key, text] of to) {
    const before = from.get(key) ?? '';
    if (before !== text) edits.push([key, editBetween(before, text)]);
  }
  return haveSameKeys(from, to) ? { edits } : { keys: [...to.keys()], edits };
}

export function takeStep(from: MemberTexts, { keys = [...from.keys()], edits }: Step): MemberTexts {
  const changes = new Map(edits);
  return new Map(
    keys.map((key) => {
      const before = from.get(key) ?? '';
      const edit = changes.get(key);
      return [key, edit === undefined ? before : applyEdit(before, edit)];
    }),
  );
}

function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  const front = commonStart(before, after, shorter);
  const behind = commonEnd(before, after, shorter - front);
  return [front, behind, after.slice(front, after.length - behind)];
}

function commonStart(one: string, other: string, most: number): number {
  let length = 0;
  while (length + BLOCK <= most && one.slice(length, length + BLOCK) === other.slice(length, length + BLOCK))
    length += BLOCK;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

function commonEnd(one: string, other: string, most: number): number {
  const blockOf = (text: string, length: number) => text.slice(text.length - length - BLOCK, text.length - length);
  let length = 0;
  while (length + BLOCK <= most && blockOf(one, length) === blockOf(other, length)) length += BLOCK;
  while (length < most && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length))
    length++;
  return length;
}

function applyEdit(before: string, [front, behind, between]: Edit): string {
  return before.slice(0, front) + between + before.slice(before.length - behind);
}

function haveSameKeys(one: MemberTexts, other: MemberTexts): boolean {
  if (one.size !== other.size) return false;
  const others = other.keys();
  return [...one.keys()].every((key) => key === others.next().value);
}
