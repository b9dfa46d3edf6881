import { TransientMap } from '../../../core/collections/transient-map.ts';
import type { Frame } from '../../../wire/frame.ts';
import { echoedId } from '../../../wire/ids.ts';
import { readMessage } from '../../../wire/message.ts';
import { type Body, readBody } from '../http/body.ts';
import type { HttpCall } from '../http/calls/http-call.ts';
import { type HttpEndpoint, TELL_MS } from '../http/endpoint.ts';
import { errorFor } from '../http/error-frame.ts';
import { EventReader } from '../http/event-reader.ts';
import { LINGER_MS } from '../http/exchanges/exchange.ts';
import { POST_HEADERS } from '../http/http-message.ts';
import type { EventPeer } from '../http/peer.ts';
import { failureOf, type HttpResponse, hasType, statusOf } from '../http/response.ts';
import type { NetworkFault } from '../network/network-fault.ts';
import type { RequestFailure } from '../transport.ts';

export interface SsePostsHost extends EventPeer {
  readonly isStopped: boolean;
  /** A message was not taken; `id` is that of a request. */
  onPostFailed(id: number | undefined, failure: RequestFailure): void;
  /** A message was answered with 404. */
  onNothingThere(id: number | undefined, failure: RequestFailure): Promise<void>;
}

export interface Post {
  readonly body: Buffer;
  /** The id of a request. */
  readonly id?: number | undefined;
  readonly isRepeatable?: boolean;
}

/** The messages that are posted to the endpoint, until the server has responded to each in full. */
export class SsePosts {
  readonly #host: SsePostsHost;
  /** Requests that are posted and not responded to in full, by their ids. */
  readonly #open = new TransientMap<number, HttpCall>();

  constructor(host: SsePostsHost) {
    this.#host = host;
  }

  /**
   * Posts a message. Resolves once the server has taken it, or could not be told. What is no request is given up after a
   * while: no request waits for what is behind it.
   */
  post(endpoint: HttpEndpoint, { body, id, isRepeatable = true }: Post): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const forget = () => {
        clearTimeout(timer);
        if (id !== undefined) this.#open.take(id);
      };
      const message = { method: 'POST', headers: POST_HEADERS, body, isRepeatable } as const;
      const call = endpoint.send(message, {
        onResponse: (response) => {
          resolve();
          response.once('close', forget);
          this.#onResponse(response, id);
        },
        onFault: (fault) => {
          forget();
          resolve();
          this.#host.onPostFailed(id, failureOfFault(fault));
        },
      });
      if (id !== undefined) this.#open.set(id, call);
      else {
        timer = setTimeout(() => {
          call.destroy();
          resolve();
        }, TELL_MS).unref();
      }
    });
  }

  /** A request is over. A server should end its response then; one that does not is helped. */
  settle(id: number): void {
    const call = this.#open.take(id);
    if (call !== undefined) setTimeout(() => call.destroy(), LINGER_MS).unref();
  }

  /** Reads a response. Mostly it only says "accepted"; some servers answer here, and not on the stream. */
  #onResponse(response: HttpResponse, id: number | undefined): void {
    const peer = this.#host;
    if (statusOf(response) < 300 && hasType(response, 'text/event-stream')) {
      const position = { lastEventId: undefined, retryMs: undefined };
      new EventReader(response, position, peer, {
        onFrame: (frame) => peer.onFrame(frame),
        onEnd: () => undefined,
      });
    } else readBody(response, { maxBytes: peer.maxFrameBytes, peer }, (body) => this.#onBody(response, body, id));
  }

  #onBody(response: HttpResponse, body: Body, id: number | undefined): void {
    if (this.#host.isStopped) return;
    const status = statusOf(response);
    const answer = id === undefined ? undefined : answerIn(body, id, status);
    if (answer !== undefined) {
      this.#host.onSpeaking(undefined);
      this.#host.onFrame(answer);
    } else if (status === 404) void this.#host.onNothingThere(id, failureOf(response));
    else if (status >= 300) this.#host.onPostFailed(id, failureOf(response));
  }
}

function failureOfFault({ reason, isUnreachable, failure }: NetworkFault): RequestFailure {
  if (failure !== undefined) return failure;
  return isUnreachable
    ? { code: 'UPSTREAM_NOT_CONNECTED', reason, effect: 'none' }
    : { code: 'UPSTREAM_EXITED', reason, effect: 'unknown' };
}

/** Returns the answer to a request in the body of its POST; an error that names no request can be about no other. */
function answerIn(body: Body, id: number, status: number): Frame | undefined {
  if (body.kind !== 'frame') return undefined;
  const message = readMessage(body.frame);
  if (message.kind === 'response' && echoedId(message.id) === id) return message.frame;
  return status >= 400 ? errorFor(id, body.frame) : undefined;
}
