/** A service that turns texts into vectors. */
export interface Embedder {
  /** Vectors of different models are never compared. */
  readonly model: string;
  /** Length of the vectors, if the config names it. */
  readonly dimensions: number | undefined;
  /**
   * Returns one vector for each text, in order and all of one length.
   * @throws EmbeddingError when the service cannot be reached, refuses, or answers with vectors that cannot be right; the reason of `signal` when that is aborted
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
