import { shownUrl } from '../../../core/addresses/shown-url.ts';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import type { NetworkFault } from '../network/network-fault.ts';
import type { Authorization, TransportContext } from '../transport.ts';
import { HttpCall, type HttpCallParts, type ResponseHandler } from './calls/http-call.ts';
import { Redirects } from './calls/redirects.ts';
import { RequestOpener } from './calls/request-opener.ts';
import { type Connections, openConnections } from './connections.ts';
import { discard } from './discard.ts';
import type { Headers, HttpMessage } from './http-message.ts';
import { hasType, statusOf } from './response.ts';

/** A server that takes a notification does so at once; one that never responds would keep a connection for each. */
export const TELL_MS = 30_000;

/**
 * Gets ready to connect to a url; nothing is sent yet.
 * @throws ImpossibleError when the entry, or a proxy in the environment, must be changed first
 */
export async function openEndpoint(
  entry: Pick<RemoteEntry, 'url' | 'headers' | 'tls'>,
  context: Pick<TransportContext, 'env' | 'log' | 'authorization'>,
): Promise<HttpEndpoint> {
  await context.authorization?.prepare();
  return new HttpEndpoint(entry, await openConnections(entry, context), context.authorization);
}

/** One url and the connections to it. */
export class HttpEndpoint {
  /** For people. */
  readonly shown: string;
  /** The configured url. */
  readonly url: URL;
  readonly #headers: Headers;
  readonly #connections: Connections;
  readonly #parts: HttpCallParts;

  constructor(
    { url, headers }: Pick<RemoteEntry, 'url' | 'headers'>,
    connections: Connections,
    authorization?: Authorization,
  ) {
    this.shown = shownUrl(url);
    this.url = new URL(url);
    this.#headers = { 'user-agent': 'viaduct', 'accept-encoding': 'identity', ...lowerCased(headers) };
    this.#connections = connections;
    this.#parts = {
      opener: new RequestOpener({ headers: this.#headers, connections, authorization }),
      redirects: new Redirects(this.url),
      proxy: connections.proxy,
      authorization,
    };
  }

  /** Returns another endpoint within the same origin, reached by the same connections. */
  at(url: URL): HttpEndpoint {
    return new HttpEndpoint({ url: url.href, headers: this.#headers }, this.#connections, this.#parts.authorization);
  }

  /** Bytes of bodies that are not written yet. */
  get queuedBytes(): number {
    return this.#parts.opener.queuedBytes;
  }

  /** Sends a message. Exactly one of the handler's methods is called, none after `destroy`. */
  send(message: HttpMessage, handler: ResponseHandler): HttpCall {
    const call = new HttpCall(message, handler, this.#parts);
    call.start();
    return call;
  }

  /** Sends a message of whose response nothing but the status matters. It is given up after `ms`. */
  tell(message: HttpMessage, ms = TELL_MS): Promise<{ readonly status: number } | NetworkFault> {
    return new Promise((resolve) => {
      const settle = (outcome: { readonly status: number } | NetworkFault) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const call = this.send(message, {
        onResponse: (response) => {
          // A stream may never end; anything else is short, and its connection is used again.
          if (hasType(response, 'text/event-stream')) response.on('error', () => undefined).destroy();
          else discard(response);
          settle({ status: statusOf(response) });
        },
        onFault: settle,
      });
      const timer = setTimeout(() => {
        call.destroy();
        resolve({ reason: `no response within ${ms / 1_000} s`, isUnreachable: false });
      }, ms).unref();
    });
  }

  /** Ends all connections. */
  destroy(): void {
    this.#connections.agent.destroy();
  }
}

const lowerCased = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
