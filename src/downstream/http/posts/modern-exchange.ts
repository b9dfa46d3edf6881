import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../../session/exchange.ts';
import type { Bytes } from '../../../wire/bytes.ts';
import type { Backlog } from '../streams/backlog.ts';
import { EVENT_STREAM_HEADERS, eventText, SIGN_OF_LIFE } from '../streams/event-stream.ts';
import type { AnswerTypes } from './accept.ts';

export interface ModernExchangeOptions {
  readonly response: ServerResponse;
  readonly backlog: Backlog;
  readonly types: AnswerTypes;
  readonly onSettled: (exchange: ModernExchange) => void;
  /** The client has closed the connection before it had the whole answer: in the modern era that cancels the request. */
  readonly onLeft: () => void;
}

/**
 * The answer to one modern request (2026-07-28, Streamable HTTP): a lone answer leaves as JSON; with anything before it
 * the answer is an event stream, which cannot be resumed. A client that takes no event streams gets nothing before it.
 */
export class ModernExchange implements Exchange {
  readonly startedAt = performance.now();
  readonly #options: ModernExchangeOptions;
  #isStream = false;
  #isSettled = false;
  #isAbandoned = false;

  constructor(options: ModernExchangeOptions) {
    this.#options = options;
    const { response } = options;
    response.on('close', () => {
      if (this.#isAbandoned || response.writableFinished) return;
      if (!this.#isSettled) this.#settle();
      options.onLeft();
    });
  }

  reply(bytes: Bytes, status = 200): void {
    if (this.#isSettled) return;
    const { response, backlog, types } = this.#options;
    this.#settle();
    if (types.prefersEvents && status === 200) this.#begin();
    if (this.#isStream) {
      backlog.write(response, eventText(bytes));
      backlog.end(response);
    } else backlog.endWithJson(response, bytes, status);
  }

  send(bytes: Bytes): void {
    this.#sendText(eventText(bytes));
  }

  sendIfRoom(bytes: Bytes): void {
    const { response, backlog } = this.#options;
    if (!backlog.isCrowded(response)) this.send(bytes);
  }

  whenRoom(): Promise<void> | undefined {
    return this.#options.backlog.whenRoom(this.#options.response);
  }

  /** Ends the exchange without a response: the client has left, or nothing is left that could respond. */
  abandon(): void {
    if (this.#isSettled) return;
    this.#isAbandoned = true;
    this.#settle();
    this.#options.response.destroy();
  }

  keepAlive(): void {
    this.#sendText(SIGN_OF_LIFE);
  }

  #sendText(text: Bytes): void {
    if (this.#isSettled || !this.#options.types.events) return;
    this.#begin();
    this.#options.backlog.write(this.#options.response, text);
  }

  #begin(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#options.response.writeHead(200, EVENT_STREAM_HEADERS);
  }

  #settle(): void {
    this.#isSettled = true;
    this.#options.onSettled(this);
  }
}
