/** A part of a document as it is kept. */
export interface Passage {
  readonly text: string;
  /** The document that it is from: a path in the workspace. */
  readonly source: string;
  /** The heading that it is under; empty if there is none. */
  readonly section: string;
  /** The kind of document that it is from, such as `architecture`. */
  readonly category: string;
  /** Its place in the document, from 0 on. */
  readonly chunkIndex: number;
}

export interface FoundPassage extends Passage {
  /** Cosine similarity in `vector` mode; otherwise 0..1, of the best possible for the question. */
  readonly score: number;
}

/** The way in which passages were found: by their words, or by vectors of them. */
export type SearchMode = 'lexical' | 'vector';

export interface Found {
  readonly mode: SearchMode;
  /** The best first. */
  readonly passages: readonly FoundPassage[];
  /** The reason why vectors were not used although they are configured. */
  readonly note?: string;
}

export interface CollectionStats {
  /** Passages in it. */
  readonly points: number;
  /** `green` where it can be searched in full. */
  readonly status: string;
}

/** A question to a collection. */
export interface Question {
  readonly text: string;
  /** The largest number of passages to find. */
  readonly limit: number;
  /** Least cosine similarity, where that is what a score is. */
  readonly threshold: number;
}

/** Outcome for a source that was kept. */
export interface Stored {
  /** The reason why it is not stored as well as it could be. */
  readonly note?: string;
}

/**
 * Named collections of passages. All methods throw `GatewayError` for the gateway's own database, `CollectionError`, or the
 * reason of `signal` when that is aborted.
 */
export interface PassageStore {
  /** Names of all collections, sorted. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  stats(name: string, signal: AbortSignal): Promise<CollectionStats>;
  /** Makes a collection ready to take passages: makes it if missing, and empties it with `recreate`. */
  prepare(name: string, options: { readonly recreate: boolean }, signal: AbortSignal): Promise<void>;
  /** Keeps passages as all that there is of a source. Until that is done, those that were there before are found. */
  replaceSource(name: string, source: string, passages: readonly Passage[], signal: AbortSignal): Promise<Stored>;
  search(name: string, question: Question, signal: AbortSignal): Promise<Found>;
  close(): Promise<void>;
}

/** `missing`: there is no such collection. `service`: something that it needs is down or refuses. */
export type CollectionFault = 'missing' | 'service';

/** Collections cannot do what they were asked for. The message says why, and what to do. */
export class CollectionError extends Error {
  readonly fault: CollectionFault;

  constructor(fault: CollectionFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CollectionError';
    this.fault = fault;
  }
}
