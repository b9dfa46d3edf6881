import type { Frame } from '../../../wire/frame.ts';
import type { HttpCall } from '../http/calls/http-call.ts';
import { discard } from '../http/discard.ts';
import type { HttpEndpoint } from '../http/endpoint.ts';
import { EventReader } from '../http/event-reader.ts';
import type { EventPeer } from '../http/peer.ts';
import { failureOf, type HttpResponse, hasType, statusOf } from '../http/response.ts';
import type { ClosedBecause } from '../transport.ts';

export interface SseStreamHandler {
  onFrame(frame: Frame): void;
  /** The server has named the endpoint for messages; called once at most. */
  onEndpoint(url: URL): void;
  /** The stream could not be opened, has ended, or names no endpoint that may be used. */
  onEnd(reason: string, why?: ClosedBecause): void;
}

/** The stream of events that is the session. It is opened at once and never again. */
export class SseStream {
  readonly #peer: EventPeer;
  readonly #handler: SseStreamHandler;
  readonly #opening: HttpCall;
  #reader: EventReader | undefined;
  #hasEndpoint = false;

  constructor(endpoint: HttpEndpoint, peer: EventPeer, handler: SseStreamHandler) {
    this.#peer = peer;
    this.#handler = handler;
    const message = { method: 'GET', headers: { accept: 'text/event-stream' }, isRepeatable: true } as const;
    this.#opening = endpoint.send(message, {
      onResponse: (response) => this.#onResponse(response),
      onFault: ({ reason, failure }) =>
        handler.onEnd(reason, failure?.code === 'UPSTREAM_NEEDS_AUTH' ? 'unauthorized' : undefined),
    });
  }

  /** Reads no more. */
  stop(): void {
    this.#opening.destroy();
    this.#reader?.stop();
  }

  #onResponse(response: HttpResponse): void {
    const status = statusOf(response);
    if (status === 200 && hasType(response, 'text/event-stream')) this.#read(response);
    else {
      discard(response);
      const reason = status < 400 ? `its url opens no stream of events (HTTP ${status})` : failureOf(response).reason;
      this.#handler.onEnd(reason);
    }
  }

  #read(response: HttpResponse): void {
    // A stream of this transport cannot be gone on with on another connection.
    const position = { lastEventId: undefined, retryMs: undefined };
    this.#reader = new EventReader(response, position, this.#peer, {
      onFrame: (frame) => this.#handler.onFrame(frame),
      onNamedEvent: (type, data) => {
        if (type === 'endpoint') this.#onEndpoint(data.toString('utf8').trim());
      },
      onEnd: () => this.#handler.onEnd('the stream of events ended'),
    });
  }

  /** Takes the endpoint. Only the first one counts: a session does not move. */
  #onEndpoint(reference: string): void {
    if (this.#hasEndpoint) return;
    const { url } = this.#opening;
    const named = URL.canParse(reference, url.href) ? new URL(reference, url) : undefined;
    if (named === undefined) this.#handler.onEnd('the endpoint that it names is no url');
    else if (named.origin !== url.origin) {
      this.#handler.onEnd(`it names an endpoint at another origin (${named.origin}), which gets nothing`);
    } else {
      this.#hasEndpoint = true;
      this.#handler.onEndpoint(named);
    }
  }
}
