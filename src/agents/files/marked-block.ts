/** A part of a text between two marks, the marks included. */
export interface MarkedBlock {
  readonly start: number;
  readonly end: number;
  /** The match of the pattern of the first mark. */
  readonly begin: RegExpExecArray;
}

/**
 * Finds the first block that ends. One pattern for the whole block would look for the end once for each beginning; where the
 * first beginning has no end behind it, no other has one.
 */
export function findBlock(text: string, begin: RegExp, end: RegExp): MarkedBlock | undefined {
  const first = begin.exec(text);
  if (first === null) return undefined;
  const inner = first.index + first[0].length;
  const last = end.exec(text.slice(inner));
  if (last === null) return undefined;
  return { start: first.index, end: inner + last.index + last[0].length, begin: first };
}
