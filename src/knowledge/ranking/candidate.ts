import type { Chunk } from '../chunks/chunk.ts';

/** A chunk that a search of the index has found. */
export interface Candidate extends Pick<Chunk, 'text' | 'kind' | 'symbol' | 'defines'> {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** The score of the text: BM25, or fused with the similarity of vectors. Not negative; greater is better; any scale. */
  readonly base: number;
}

export interface Ranked<C extends Candidate> {
  readonly candidate: C;
  /** The share of what the best answer to this query could have, 0 to 1. */
  readonly score: number;
}
