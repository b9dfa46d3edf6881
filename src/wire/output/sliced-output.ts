import type { Bytes } from '../bytes.ts';

/** The bytes that the stream holds at a time. A write counts as taken only when all of it has left, so it must be small. */
const WINDOW_BYTES = 512 * 1024;
/** One write of a large frame is at most this long. */
const SLICE_BYTES = 128 * 1024;

/** A `Writable`, or the response of Node's HTTP server, which is not quite one. */
export interface Sink {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableLength: number;
  write(chunk: Buffer | string, encoding?: BufferEncoding): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
}

/**
 * Writes to a stream in slices, so that what the reader takes of a large message is seen, and freed, while it takes it.
 * It never waits: what the stream has not taken yet is counted in `queuedBytes`, for the owner to bound.
 */
export class SlicedOutput {
  readonly #sink: Sink;
  readonly #onTaken: () => void;
  #queue: Buffer[] = [];
  #next = 0;
  #queuedBytes = 0;
  #acceptedBytes = 0;
  #endsAfterQueue = false;

  /** `onTaken` is called when the stream has taken what it held. */
  constructor(sink: Sink, onTaken: () => void = () => undefined) {
    this.#sink = sink;
    this.#onTaken = onTaken;
    sink.on('drain', () => this.#onDrain());
    sink.on('close', () => this.#drop());
  }

  /** Bytes accepted and not yet taken by the operating system. */
  get queuedBytes(): number {
    return this.#queuedBytes + this.#sink.writableLength;
  }

  /** Bytes that the operating system has taken since the start. Grows in steps of up to 512 KiB. */
  get takenBytes(): number {
    return Math.max(0, this.#acceptedBytes - this.queuedBytes);
  }

  /** Writes text whose characters are bytes, or pieces of a large message. Does nothing once the stream has ended. */
  write(bytes: Bytes): void {
    if (this.#sink.destroyed || this.#sink.writableEnded || this.#endsAfterQueue) return;
    if (typeof bytes !== 'string') for (const piece of bytes) this.#push(piece);
    else if (this.#isIdle && bytes.length <= SLICE_BYTES) {
      this.#acceptedBytes += bytes.length;
      this.#sink.write(bytes, 'latin1');
    } else this.#push(Buffer.from(bytes, 'latin1'));
    this.#pump();
  }

  /** Gives the stream all that waits here, even if the stream is full. */
  handOver(): void {
    this.#pump(Number.POSITIVE_INFINITY);
  }

  /** Ends the stream after what was written. */
  end(): void {
    this.#endsAfterQueue = true;
    this.#pump();
  }

  get #isIdle(): boolean {
    return this.#next === this.#queue.length;
  }

  #push(piece: Buffer): void {
    this.#acceptedBytes += piece.length;
    this.#queuedBytes += piece.length;
    for (let at = 0; at < piece.length; at += SLICE_BYTES) this.#queue.push(piece.subarray(at, at + SLICE_BYTES));
  }

  #pump(window = WINDOW_BYTES): void {
    while (!this.#isIdle && this.#sink.writableLength < window && !this.#sink.destroyed) {
      const slice = this.#queue[this.#next]!;
      // Sent slices are given up one by one: the rest of a large message may wait for long.
      this.#queue[this.#next++] = EMPTY;
      this.#queuedBytes -= slice.length;
      this.#sink.write(slice);
    }
    if (!this.#isIdle) return;
    this.#queue = [];
    this.#next = 0;
    if (this.#endsAfterQueue && !this.#sink.writableEnded && !this.#sink.destroyed) this.#sink.end();
  }

  #onDrain(): void {
    this.#pump();
    this.#onTaken();
  }

  #drop(): void {
    this.#queue = [];
    this.#next = 0;
    this.#queuedBytes = 0;
    this.#onTaken();
  }
}

const EMPTY = Buffer.alloc(0);
