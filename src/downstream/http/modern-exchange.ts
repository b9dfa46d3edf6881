import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../session/exchange.ts';
import { type Bytes, byteLength } from '../../wire/bytes.ts';
import type { Backlog } from './backlog.ts';
import { EVENT_STREAM_HEADERS, endWith, eventText, writeBytes } from './event-stream.ts';

/** A reader that leaves so much unread gets no more notifications; beyond the second limit it loses the connection. */
const CROWDED_BYTES = 4 * 1024 * 1024;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export interface ModernExchangeOptions {
  readonly response: ServerResponse;
  readonly backlog: Backlog;
  /** A lone answer leaves on an event stream, too. */
  readonly prefersEvents: boolean;
  readonly onSettled: (exchange: ModernExchange) => void;
  /** The client has closed the connection before the answer: in the modern era that cancels the request. */
  readonly onLeft: () => void;
}

/**
 * The answer to one modern request (2026-07-28, Streamable HTTP): a lone answer leaves as JSON; with anything before it
 * the answer is an event stream, which cannot be resumed.
 */
export class ModernExchange implements Exchange {
  readonly startedAt = performance.now();
  readonly #options: ModernExchangeOptions;
  #isStream = false;
  #isSettled = false;

  constructor(options: ModernExchangeOptions) {
    this.#options = options;
    options.response.on('close', () => {
      if (this.#isSettled) return;
      this.#settle();
      options.onLeft();
    });
  }

  reply(bytes: Bytes, status = 200): void {
    if (this.#isSettled) return;
    const { response, backlog, prefersEvents } = this.#options;
    this.#settle();
    if (prefersEvents && status === 200) this.#begin();
    if (this.#isStream) {
      this.#write(eventText('event: message\ndata: ', bytes));
      response.end();
    } else {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': byteLength(bytes) });
      endWith(response, bytes);
      backlog.onWritten(response);
    }
  }

  send(bytes: Bytes): void {
    if (this.#isSettled) return;
    this.#begin();
    this.#write(eventText('event: message\ndata: ', bytes));
  }

  sendIfRoom(bytes: Bytes): void {
    if (this.#options.response.writableLength <= CROWDED_BYTES) this.send(bytes);
  }

  /** No answer follows: the client has left, or whoever could answer is gone. */
  abandon(): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#options.response.destroy();
  }

  keepAlive(): void {
    if (this.#isSettled) return;
    this.#begin();
    this.#write(': still working\n\n');
  }

  #begin(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#options.response.writeHead(200, EVENT_STREAM_HEADERS);
  }

  #write(text: Bytes): void {
    const { response, backlog } = this.#options;
    if (response.writableLength > 0 && response.writableLength + byteLength(text) > MAX_UNREAD_BYTES) {
      response.destroy();
      return;
    }
    writeBytes(response, text);
    backlog.onWritten(response);
  }

  #settle(): void {
    this.#isSettled = true;
    this.#options.onSettled(this);
  }
}
