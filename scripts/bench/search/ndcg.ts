import { isRelevant } from './data.ts';

const DEPTH = 10;

/**
 * NDCG@10 over files: of the ranked chunks the first ten count as ranks; a relevant file counts once, at its best rank, with
 * a gain of 1. In the ideal order all relevant files are first.
 */
export function ndcg(files: readonly string[], relevant: readonly string[]): number {
  const gains = relevant.map((one) => gainAt(files.slice(0, DEPTH).findIndex((file) => isRelevant(file, one))));
  const ideal = relevant.slice(0, DEPTH).map((_, rank) => gainAt(rank));
  return sum(gains) / sum(ideal);
}

const gainAt = (rank: number): number => (rank === -1 ? 0 : 1 / Math.log2(rank + 2));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
