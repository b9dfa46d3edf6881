import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../../session/exchange.ts';
import type { Bytes } from '../../../wire/bytes.ts';
import type { Backlog } from '../streams/backlog.ts';
import type { EventStream } from '../streams/event-stream.ts';

export interface PostExchangeOptions {
  readonly response: ServerResponse;
  readonly backlog: Backlog;
  /** The number of requests in the body, and so of responses that are due. */
  readonly expected: number;
  /** A lone answer leaves on an event stream, too. */
  readonly prefersEvents: boolean;
  readonly headers: () => Readonly<Record<string, string>>;
  /** Makes the event stream if the answer turns out to need one. */
  readonly openStream: () => EventStream;
  readonly onSettled: (exchange: PostExchange) => void;
}

/**
 * The answer to one POST. A lone answer leaves as JSON; as soon as anything comes before it, the answer becomes an
 * event stream, and stays one if the connection breaks: in the legacy era that is no cancellation.
 */
export class PostExchange implements Exchange {
  readonly #options: PostExchangeOptions;
  readonly startedAt = performance.now();
  #stream: EventStream | undefined;
  #left: number;

  constructor(options: PostExchangeOptions) {
    this.#options = options;
    this.#left = options.expected;
  }

  reply(bytes: Bytes): void {
    const { expected, prefersEvents } = this.#options;
    if (this.#stream === undefined && expected === 1 && !prefersEvents) this.#replyAsJson(bytes);
    else this.#streamed().send(bytes);
    this.#settleOne();
  }

  send(bytes: Bytes): void {
    if (this.#left > 0) this.#streamed().send(bytes);
  }

  sendIfRoom(bytes: Bytes): void {
    if (this.#left > 0) this.#streamed().sendIfRoom(bytes);
  }

  whenRoom(): Promise<void> | undefined {
    return this.#options.backlog.whenRoom(this.#options.response);
  }

  abandon(): void {
    if (this.#stream === undefined && this.#left === 1) this.#streamed();
    this.#settleOne();
  }

  /** Sends a comment after a long silence, which tells all proxies in between that the call is alive. */
  keepAlive(): void {
    this.#streamed().keepAlive();
  }

  #replyAsJson(bytes: Bytes): void {
    const { response, headers, backlog } = this.#options;
    if (!response.destroyed) backlog.endWithJson(response, bytes, 200, headers());
  }

  #streamed(): EventStream {
    if (this.#stream === undefined) {
      this.#stream = this.#options.openStream();
      if (!this.#options.response.destroyed) this.#stream.attach(this.#options.response, this.#options.headers());
    }
    return this.#stream;
  }

  #settleOne(): void {
    if (--this.#left > 0) return;
    this.#stream?.finish();
    this.#options.onSettled(this);
  }
}
