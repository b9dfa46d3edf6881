import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../../session/exchange.ts';
import { type Bytes, toBuffer } from '../../../wire/bytes.ts';
import type { Backlog } from '../streams/backlog.ts';

export interface JsonExchangeOptions {
  readonly response: ServerResponse;
  readonly backlog: Backlog;
  /** The number of requests in the body, and so of responses that are due. */
  readonly expected: number;
  readonly isBatch: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly onSettled: (exchange: JsonExchange) => void;
}

/**
 * The answer to one POST of a legacy client that takes no event streams. Only answers fit into it: progress and log
 * messages of its calls are dropped. The answers to a batch leave as an array (2025-03-26, Transports).
 */
export class JsonExchange implements Exchange {
  readonly #options: JsonExchangeOptions;
  readonly startedAt = performance.now();
  readonly takesOnlyAnswers = true;
  readonly #replies: Bytes[] = [];
  #left: number;

  constructor(options: JsonExchangeOptions) {
    this.#options = options;
    this.#left = options.expected;
  }

  reply(bytes: Bytes): void {
    this.#replies.push(bytes);
    this.#settleOne();
  }

  send(): void {}

  sendIfRoom(): void {}

  whenRoom(): Promise<void> | undefined {
    return this.#options.backlog.whenRoom(this.#options.response);
  }

  abandon(): void {
    this.#settleOne();
  }

  /** A JSON answer has no place for signs of life. */
  keepAlive(): void {}

  #settleOne(): void {
    if (--this.#left > 0) return;
    this.#answer();
    this.#options.onSettled(this);
  }

  #answer(): void {
    const { response, backlog, headers, isBatch } = this.#options;
    const [only] = this.#replies;
    if (response.destroyed) return;
    // Everything was cancelled: no client waits for an answer any more.
    if (only === undefined) response.writeHead(202, headers).end();
    else backlog.endWithJson(response, isBatch ? asArray(this.#replies) : only, 200, headers);
  }
}

function asArray(texts: readonly Bytes[]): Bytes {
  const parts = texts.flatMap((text, index) => [Buffer.from(index === 0 ? '[' : ','), toBuffer(text)]);
  return [...parts, Buffer.from(']')];
}
