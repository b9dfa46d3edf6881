import { compareLines, type MarkedLine } from '../../core/text/line-diff.ts';

/**
 * Compares two lists of lines. Lines that occur once in each are matched first, so that long lists take little time.
 * @returns all lines of both, in their order
 */
export function lineChanges(before: readonly string[], after: readonly string[]): readonly MarkedLine[] {
  const changes: MarkedLine[] = [];
  let [fromBefore, fromAfter] = [0, 0];
  for (const [atBefore, atAfter] of [...anchors(before, after), [before.length, after.length] as const]) {
    for (const line of compareLines(before.slice(fromBefore, atBefore), after.slice(fromAfter, atAfter)))
      changes.push(line);
    if (atAfter < after.length) changes.push([' ', after[atAfter]!]);
    [fromBefore, fromAfter] = [atBefore + 1, atAfter + 1];
  }
  return changes;
}

type Match = readonly [before: number, after: number];

/** Returns places of lines that occur once in each list: the longest series that ascends in both. */
function anchors(before: readonly string[], after: readonly string[]): readonly Match[] {
  const places = uniquePlaces(before);
  const unique = uniquePlaces(after);
  const matches: Match[] = [];
  for (const [line, atAfter] of unique) {
    const atBefore = places.get(line);
    if (atBefore !== undefined && atBefore >= 0 && atAfter >= 0) matches.push([atBefore, atAfter]);
  }
  return longestAscending(matches);
}

/** Returns where each line stands; -1 if it occurs more than once. */
function uniquePlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

interface Series {
  readonly last: Match;
  readonly before: Series | undefined;
}

/** @param matches ascending in their second numbers. Returns the most of them that ascend in the first numbers, too. */
function longestAscending(matches: readonly Match[]): readonly Match[] {
  /** For each length: the series of that length whose last number is smallest. */
  const best: Series[] = [];
  for (const last of matches) {
    const length = firstAtLeast(best, last[0]);
    best[length] = { last, before: best[length - 1] };
  }
  const longest: Match[] = [];
  for (let series = best.at(-1); series !== undefined; series = series.before) longest.push(series.last);
  return longest.reverse();
}

function firstAtLeast(best: readonly Series[], value: number): number {
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (best[middle]!.last[0] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
