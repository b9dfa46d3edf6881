import type { EmbeddingsOptions } from '../../core/settings/embeddings-options.ts';
import type { ServiceKind } from '../../services/service-kinds.ts';

/** The options of a service with its address and its model filled in. */
export interface ServiceSettings extends EmbeddingsOptions {
  readonly url: string;
  readonly model: string;
}

/** The requests for vectors that one kind of service understands, and the meaning of its answers. */
export interface Dialect {
  readonly kind: ServiceKind;
  /** The service in messages. */
  readonly name: string;
  /** Returns the full address for requests. */
  endpoint(settings: ServiceSettings): string;
  /** Returns the body of a request. */
  body(settings: ServiceSettings, texts: readonly string[]): unknown;
  /** Returns the vectors in an answer, in the order of the texts, unchecked; `undefined` if there are none. */
  vectors(answer: unknown): unknown;
}
