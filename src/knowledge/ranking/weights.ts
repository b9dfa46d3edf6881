/** Weights of the kinds of evidence, beside 1 for the text of a chunk. docs/KNOWLEDGE.md says how they were found. */
export const WEIGHTS = {
  /** The file is called after the words of the query. */
  name: 1,
  /** One of its folders is called after the words of the query. */
  folder: 0.2,
  /** The chunk defines something that is called after words of the query. */
  definition: 0.5,
  /** The chunk defines a symbol that the query names; half of it where the query has other words too. */
  symbol: 1,
  /** The file has many of the query's words. */
  coverage: 0.4,
  /** Many chunks of the file fit: for the best of them. */
  coherence: 0.6,
};

/** The best text counts less than its score says: BM25 likes what is short. */
export const BASE_POWER = 0.8;

/** A name counts in full that has this many rare words of the query. */
export const FULL_NAME = 1.5;

/** Each further chunk of a file counts this much of the one before. */
export const DECAY = 0.4;
