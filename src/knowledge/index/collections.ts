/** Collections of documents: their chunks are data, which nothing on the disk could bring back. */
export interface Collections {
  /** @returns false if one already exists, which is not changed */
  create(name: string): Promise<boolean>;
  /** Removes a collection with all that is in it. @returns whether there was one */
  drop(name: string): Promise<boolean>;
  /** By name. */
  list(): Promise<readonly CollectionInfo[]>;
  get(name: string): Promise<CollectionInfo | undefined>;
  /**
   * Puts the chunks of a source in the place of those that it had, in one transaction; no chunks remove it. Texts pass
   * redaction before they are stored.
   * @throws GatewayError `STORE_UNAVAILABLE` also if there is no such collection
   */
  replaceSource(name: string, source: string, chunks: readonly CollectionChunk[]): Promise<void>;
  /** Returns the chunks nearest to the question, best first; none if there is no such collection. */
  search(name: string, question: CollectionQuestion): Promise<CollectionAnswer>;
}

export interface CollectionInfo {
  readonly name: string;
  readonly points: number;
  readonly sources: number;
  /** `yellow` while chunks lack a vector of the model that most of the others have. */
  readonly status: 'green' | 'yellow';
  /** The model of the vectors; `undefined` if there are none. */
  readonly model: string | undefined;
  readonly dimensions: number | undefined;
}

export interface CollectionChunk {
  readonly text: string;
  readonly section: string;
  readonly category: string;
  readonly chunkIndex: number;
  readonly vector?: { readonly model: string; readonly values: Float32Array } | undefined;
}

export interface CollectionQuestion {
  readonly text: string;
  readonly topK: number;
  /**
   * The vector of the question. If present, chunks with a vector of this model are compared by cosine; otherwise chunks
   * are compared by their words.
   */
  readonly vector?: { readonly model: string; readonly values: Float32Array } | undefined;
}

export interface CollectionAnswer {
  /** `cosine`: scores are cosines, clamped to 0..1; `lexical`: of what the best possible answer would have, 0..1. */
  readonly mode: 'cosine' | 'lexical';
  readonly hits: readonly CollectionHit[];
}

export interface CollectionHit {
  readonly text: string;
  readonly source: string;
  readonly section: string;
  readonly category: string;
  readonly chunkIndex: number;
  readonly score: number;
}
