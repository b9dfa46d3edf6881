import type { ProviderCall } from '../../core/providers/provider.ts';
import type { PublicUris } from '../../core/uris/public-uris.ts';
import { withUris, withUrisIn } from '../../era/pointers/pointers.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';

/** Gives what an upstream sends to clients the uris under which they reach its resources. */
export class UriPointers {
  readonly #uris: PublicUris;
  readonly #key: string;

  constructor(uris: PublicUris, key: string) {
    this.#uris = uris;
    this.#key = key;
  }

  /**
   * Returns the answer to a call with the uris that clients use. The contents of a resource that was read have the very uri
   * that the client asked for, even where it used the upstream's own. An answer with more parts than can be looked into
   * becomes an error.
   */
  inReply({ text, ownName }: ProviderCall, reply: Reply): Reply {
    const { method } = text.message;
    const isEcho = method === 'resources/read' || reply.outcome === 'error';
    try {
      return withUris(method, reply, (uri) => (isEcho && uri === ownName ? text.target : this.publicUri(uri)));
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      return errorReply({ code: -32603, message: `${this.#key}: the answer cannot be used: ${error.message}` });
    }
  }

  /**
   * Returns a request or notification of the upstream with the uris that clients use.
   * @throws JsonTextError if the message has more parts than can be looked into
   */
  inMessage<Told extends NotificationMessage | RequestMessage>(message: Told): Told {
    return withUrisIn(message, (uri) => this.publicUri(uri));
  }

  publicUri(uri: string): string {
    return this.#uris.publicUri(this.#key, uri);
  }
}
