import type { Readable } from 'node:stream';

/** The time for which one stream may keep all others waiting, in milliseconds. */
const TURN_MS = 1;
/** Chunks that take less are not counted: nearly all of them, on a quiet day. */
const LIGHT_MS = 0.25;
/** The time that may be spent at once on unrequested work, in milliseconds. */
const CREDIT_MS = 200;

export interface Consumer {
  /**
   * Works on a chunk. It may stop early once `performance.now()` has passed `deadline`, and returns the offset it has
   * come to; the rest is given to it again in the next turn.
   */
  consume(chunk: Buffer, deadline: number): number;
  /** The stream has ended, and all of it was consumed. */
  onEnd(): void;
}

export interface PacedInputOptions {
  /**
   * The share of the time, in (0, 1), that work may take in the long run, as it is now; see `reward`. Absent for streams
   * whose every byte is wanted.
   */
  readonly share?: () => number;
}

/** The cost of bytes before they are read, and as garbage afterwards: one millisecond for this many. */
const BYTES_PER_MS = 200_000;

/**
 * Reads a stream in turns of bounded time: a stream that floods waits for the others, and they never wait for it. While
 * it waits nothing is read, so that the flood stays at its sender.
 */
export class PacedInput {
  readonly #stream: Readable;
  readonly #consumer: Consumer;
  readonly #share: (() => number) | undefined;
  #creditMs = CREDIT_MS;
  #creditAt = performance.now();
  #spentMs = 0;
  #rest: Buffer | undefined;
  #turnEnds = false;
  #isHeld = false;
  #hasEnded = false;

  constructor(stream: Readable, consumer: Consumer, { share }: PacedInputOptions = {}) {
    this.#stream = stream;
    this.#consumer = consumer;
    this.#share = share;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('end', () => {
      this.#hasEnded = true;
      // A stream that is paused at its last chunk ends all the same; what is left of that chunk comes first.
      if (this.#rest === undefined) consumer.onEnd();
    });
  }

  /** Reports that the input was wanted: a charged stream is read at full speed as long as this happens now and then. */
  reward(): void {
    this.#creditMs = CREDIT_MS;
  }

  /** True if it holds back input that has arrived. */
  get isWaiting(): boolean {
    return this.#isHeld || this.#turnEnds;
  }

  /** Reads no more until `release`: what the chunks lead to has no room. */
  hold(): void {
    this.#isHeld = true;
    this.#stream.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (!this.#turnEnds) this.#goOn();
  }

  #take(chunk: Buffer): void {
    // A stream that was paused while it emits may still have a chunk on its way.
    if (this.#rest !== undefined) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return;
    }
    const start = performance.now();
    const end = this.#consumer.consume(chunk, start + TURN_MS - this.#spentMs);
    const now = performance.now();
    const share = this.#share?.();
    const waitMs = share === undefined ? 0 : this.#pay(now - start + end / BYTES_PER_MS, now, share);
    if (end < chunk.length) this.#rest = chunk.subarray(end);
    else if (now - start < LIGHT_MS && waitMs === 0) return;
    this.#spentMs += now - start;
    this.#endTurnSoon(waitMs);
    if (this.#spentMs >= TURN_MS || this.#rest !== undefined || waitMs > 0) this.#stream.pause();
  }

  /** Gives how long to wait until there is something to spend again, in milliseconds. */
  #pay(ms: number, now: number, share: number): number {
    this.#creditMs = Math.min(CREDIT_MS, this.#creditMs + (now - this.#creditAt) * share) - ms;
    this.#creditAt = now;
    return this.#creditMs < 0 ? Math.ceil(-this.#creditMs / share) : 0;
  }

  #endTurnSoon(waitMs: number): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    const endTurn = () => {
      this.#turnEnds = false;
      this.#spentMs = 0;
      if (!this.#isHeld) this.#goOn();
    };
    if (waitMs === 0) setImmediate(endTurn);
    else setTimeout(endTurn, waitMs);
  }

  #goOn(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest !== undefined) this.#take(rest);
    if (rest !== undefined && this.#rest === undefined && this.#hasEnded) this.#consumer.onEnd();
    if (!this.#isHeld && !this.#turnEnds) this.#stream.resume();
  }
}
