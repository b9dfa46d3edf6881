import type { EmbeddingsOptions } from '../../core/knowledge/embeddings-options.ts';

/** The options of a service with its address and its model filled in. */
export interface ServiceSettings extends EmbeddingsOptions {
  readonly url: string;
  readonly model: string;
}

/** How one kind of service is asked for vectors, and what its answers mean. */
export interface Dialect {
  /** The service in messages. */
  readonly name: string;
  /** The full address for requests. */
  endpoint(settings: ServiceSettings): string;
  /** The body of a request. */
  body(settings: ServiceSettings, texts: readonly string[]): unknown;
  /** The vectors in an answer, in the order of the texts, unchecked; `undefined` where there are none. */
  vectors(answer: unknown): unknown;
  /** Whether an error with this status and JSON says that the service lacks the model. */
  lacksModel(status: number, answer: unknown): boolean;
  /** Whether an error says that nothing more is given until somebody pays. */
  isOutOfCredit(answer: unknown): boolean;
  /** Advice for the case that the service cannot be reached. */
  howToStart(settings: ServiceSettings): string;
  /** Advice for the case that it lacks the model. */
  howToGetModel(settings: ServiceSettings): string;
}
