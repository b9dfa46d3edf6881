/** Lines around a change that are shown with it. */
const CONTEXT = 3;
/** Texts whose lines would make a larger table are shown as wholly replaced between their common ends. */
const MAX_CELLS = 4_000_000;

/** A line that is in both texts (' '), only in the old one (-), or only in the new one (+). */
export type MarkedLine = readonly [mark: ' ' | '-' | '+', text: string];

/** Returns the difference between two texts, line by line, in the unified format without its file names. */
export function lineDiff(before: string, after: string): string[] {
  const lines = compareLines(before.split('\n'), after.split('\n'));
  const isNear = lines.map(() => false);
  for (const [index, [mark]] of lines.entries())
    if (mark !== ' ') isNear.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  const shown: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const [index, [mark, text]] of lines.entries()) {
    if (isNear[index] && !isNear[index - 1]) shown.push(`@@ -${oldLine} +${newLine} @@`);
    if (isNear[index]) shown.push(`${mark}${text}`);
    if (mark !== '+') oldLine++;
    if (mark !== '-') newLine++;
  }
  return shown;
}

/**
 * Returns the lines of both texts in their order. If too much would have to be compared, the old lines count as replaced by
 * the new ones.
 */
export function compareLines(a: readonly string[], b: readonly string[]): MarkedLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...a.slice(0, head).map((text): MarkedLine => [' ', text]),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map((text): MarkedLine => [' ', text]),
  ];
}

/** Compares the lines by their longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): MarkedLine[] {
  const width = b.length + 1;
  const isSmall = (a.length + 1) * width <= MAX_CELLS;
  /** The length of the longest common subsequence of what follows, at (i, j); all 0 if that is too much work. */
  const lengths = new Uint32Array(isSmall ? (a.length + 1) * width : 0);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = isSmall ? a.length - 1 : -1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: MarkedLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (isSmall && i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([' ', a[i++]!]);
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(['-', a[i++]!]);
    else lines.push(['+', b[j++]!]);
  }
  return lines;
}
