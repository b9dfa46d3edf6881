/** The candidate that `word` most likely means, or `undefined` where none is near enough to be worth saying. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const alike = candidates.find((candidate) => bare(candidate) === bare(word));
  if (alike !== undefined) return alike;
  const limit = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
  return candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** `max_concurrency`, `max-concurrency` and `MaxConcurrency` all mean `maxConcurrency`. */
const bare = (word: string): string => word.replaceAll(/[-_]/g, '').toLowerCase();

/** Damerau-Levenshtein distance (optimal string alignment): a swap of two neighbours counts once. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
