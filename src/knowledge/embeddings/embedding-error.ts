/**
 * The reason why there are no vectors: the service cannot be reached or does not answer in time, it answers with an error, it lacks the
 * model, it has given as much as it will for now, or its answer cannot be right.
 */
export type EmbeddingFault = 'unreachable' | 'refused' | 'no-model' | 'quota' | 'invalid-answer';

/** A service has turned no texts into vectors. The message names it, where it was looked for, and what to do. */
export class EmbeddingError extends Error {
  readonly fault: EmbeddingFault;

  constructor(fault: EmbeddingFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddingError';
    this.fault = fault;
  }
}
