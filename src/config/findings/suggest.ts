import { editDistance } from '../../core/text/edit-distance.ts';

/** Returns the candidate that `word` most likely means, or `undefined` if none is near enough to be worth saying. */
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
