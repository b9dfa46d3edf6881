import type { Candidate, Ranked } from './candidate.ts';
import type { Query } from './query.ts';

export interface RankOptions {
  /** How many are returned at most; 10 by default. */
  readonly limit?: number;
}

/** Returns the best of the candidates (a few hundred: those with the greatest `base`), best first. */
export function rank<C extends Candidate>(
  query: Query,
  candidates: readonly C[],
  { limit = 10 }: RankOptions = {},
): Ranked<C>[] {
  const best = Math.max(...candidates.map(({ base }) => base), Number.MIN_VALUE);
  return candidates
    .map((candidate) => ({ candidate, score: candidate.base / best }))
    .sort((a, b) => b.score - a.score)
    .slice(0, query.terms.length === 0 ? 0 : limit);
}
