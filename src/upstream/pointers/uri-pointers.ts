import type { ProviderCall } from '../../core/provider.ts';
import type { PublicUris } from '../../core/uris/public-uris.ts';
import { withUris, withUrisIn } from '../../era/pointers/pointers.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';

/** Gives what an upstream sends to clients the uris under which they reach its resources. */
export class UriPointers {
  readonly #uris: PublicUris;
  readonly #key: string;

  constructor(uris: PublicUris, key: string) {
    this.#uris = uris;
    this.#key = key;
  }

  /**
   * The answer to a call. The contents of a resource that was read have the very uri that the client asked for, even where
   * it used the upstream's own.
   */
  inReply({ text, ownName }: ProviderCall, reply: Reply): Reply {
    const { method } = text.message;
    const isEcho = method === 'resources/read' || reply.outcome === 'error';
    return withUris(method, reply, (uri) => (isEcho && uri === ownName ? text.target : this.publicUri(uri)));
  }

  /** What the upstream asks its client, or tells it. */
  inMessage<Told extends NotificationMessage | RequestMessage>(message: Told): Told {
    return withUrisIn(message, (uri) => this.publicUri(uri));
  }

  publicUri(uri: string): string {
    return this.#uris.publicUri(this.#key, uri);
  }
}
