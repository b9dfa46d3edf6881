import type { Readable, Writable } from 'node:stream';
import { onLines } from '../../../test/support/lines.ts';
import { idKey } from './oracle.ts';

/** A loaded machine may need seconds; what takes longer is not answered. */
export const ANSWER_WITHIN_MS = 20_000;

interface Incoming {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Answer {
  readonly text: string;
  readonly message: Incoming;
}

/**
 * A client on a pair of streams that counts answers by id and keeps nothing else: it may run for hours. What the server
 * asks is answered with an empty result.
 */
export class LineClient {
  /** Lines that were not JSON. */
  readonly unreadable: string[] = [];
  /** Answers under an id that is no id. */
  nullAnswers = 0;
  closed = false;
  readonly #output: Writable;
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  #onAnswer: (() => void) | undefined;
  #nextId = 1;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', () => undefined);
    onLines(input, (text) => this.#onLine(text));
    input.on('close', () => {
      this.closed = true;
      this.#onAnswer?.();
    });
  }

  /** Writes a line; resolves when there is room for more. */
  async write(bytes: Buffer | string): Promise<void> {
    this.#output.write(bytes);
    if (!this.#output.write('\n')) await new Promise((resolve) => this.#output.once('drain', resolve));
  }

  /** Sends a request under an id of its own, `params` being JSON text. Gives nothing where no answer comes in time. */
  request(method: string, params = '{}', withinMs = ANSWER_WITHIN_MS): Promise<Answer | undefined> {
    const id = `"own-${this.#nextId++}"`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve(undefined);
      }, withinMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      void this.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);
    });
  }

  async initialize(capabilities: object = {}): Promise<void> {
    const clientInfo = { name: 'long', version: '1' };
    await this.request('initialize', JSON.stringify({ protocolVersion: '2025-11-25', capabilities, clientInfo }));
    await this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  /** How many answers an id has had. */
  answersTo(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Resolves with true as soon as `condition` holds, looked at after each message; false after `ms`. */
  async waitUntil(condition: () => boolean, ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    while (!condition()) {
      const left = deadline - performance.now();
      if (left <= 0 || this.closed) return condition();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#onAnswer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#onAnswer = undefined;
    }
    return true;
  }

  end(): void {
    this.#output.end();
  }

  #onLine(text: string): void {
    let message: Incoming;
    try {
      message = JSON.parse(text) as Incoming;
    } catch {
      this.unreadable.push(text.slice(0, 200));
      return;
    }
    const key = idKey(message.id);
    if (message.method !== undefined) {
      if (key !== undefined) void this.write(`{"jsonrpc":"2.0","id":${key},"result":{}}`);
      return;
    }
    if (key === undefined) this.nullAnswers++;
    else this.#count(key, { text, message });
    this.#onAnswer?.();
  }

  #count(key: string, answer: Answer): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#counts.set(key, this.answersTo(key) + 1);
    else {
      this.#waiting.delete(key);
      waiting(answer);
    }
  }
}
