import type { Readable } from 'node:stream';

/** One stream may keep everybody else waiting for so long, in milliseconds. */
const TURN_MS = 2;
/** Chunks that take less are not counted: nearly all of them, on a quiet day. */
const LIGHT_MS = 0.25;

/**
 * Works on a chunk. It may stop early once `performance.now()` has passed `deadline`, and returns the offset it has
 * come to; the rest is given to it again in the next turn.
 */
export type Consume = (chunk: Buffer, deadline: number) => number;

/**
 * Reads a stream in turns of bounded time: whoever sends a flood waits for the others, and they never wait for it.
 * While it waits nothing is read, so that the flood stays where it comes from.
 */
export class PacedInput {
  readonly #stream: Readable;
  readonly #consume: Consume;
  #spentMs = 0;
  #rest: Buffer | undefined;
  #turnEnds = false;
  #isHeld = false;

  constructor(stream: Readable, consume: Consume) {
    this.#stream = stream;
    this.#consume = consume;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** Reads no more until `release`: what the chunks lead to has no room. */
  hold(): void {
    this.#isHeld = true;
    this.#stream.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#turnEnds) return;
    this.#takeRest();
    this.#resumeIfFree();
  }

  #take(chunk: Buffer): void {
    // A stream that was paused while it emits may still have a chunk on its way.
    if (this.#rest !== undefined) {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      return;
    }
    const start = performance.now();
    const end = this.#consume(chunk, start + TURN_MS - this.#spentMs);
    const took = performance.now() - start;
    if (end < chunk.length) this.#rest = chunk.subarray(end);
    else if (took < LIGHT_MS) return;
    this.#spentMs += took;
    this.#endTurnSoon();
    if (this.#spentMs >= TURN_MS || this.#rest !== undefined) this.#stream.pause();
  }

  #endTurnSoon(): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    setImmediate(() => {
      this.#turnEnds = false;
      this.#spentMs = 0;
      if (this.#isHeld) return;
      this.#takeRest();
      this.#resumeIfFree();
    });
  }

  #takeRest(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest !== undefined) this.#take(rest);
  }

  #resumeIfFree(): void {
    if (!this.#isHeld && this.#rest === undefined && this.#spentMs < TURN_MS) this.#stream.resume();
  }
}
