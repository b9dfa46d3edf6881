import type { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { PacedInput } from '../../core/timing/paced-input.ts';
import { type OutputPiece, OutputRing } from './output-ring.ts';
import { WholeCharacters } from './whole-characters.ts';

/**
 * The silence, in milliseconds, after which the output of an ended process counts as complete although its pipe is
 * still open.
 */
const SILENCE_MS = 200;
/** The number of times that the output is awaited after the whole tree has ended: any further writer is a stranger. */
const ROUNDS = 10;
/** The number of bytes read after that, more than pipes hold. */
const LAST_BYTES = 4 * 1_048_576;

export interface ProcessOutputOptions {
  readonly capacity: number;
  /** The share of the gateway's time that reading may take in the long run, as it is now. */
  readonly share: () => number;
  /** Hears of all text, and of which stream it is, by its index. Resolves once there is room for more; `undefined` if there is. */
  readonly onText: (text: string, stream: number) => Promise<void> | undefined;
}

/** The standard output and standard error of a process, in the order in which they were read. */
export class ProcessOutput {
  readonly #options: ProcessOutputOptions;
  readonly #ring: OutputRing;
  readonly #streams: readonly Readable[];
  readonly #inputs: readonly PacedInput[];
  /** Resolves when both streams have ended and all of them is read. */
  readonly ended: Promise<void>;
  #isHeld = false;
  #lastReadAt = -Infinity;

  constructor(streams: readonly Readable[], options: ProcessOutputOptions) {
    this.#options = options;
    this.#ring = new OutputRing(options.capacity);
    this.#streams = streams;
    const inputs: PacedInput[] = [];
    const ends = streams.map(
      (stream, index) => new Promise<void>((resolve) => inputs.push(this.#read(stream, index, resolve))),
    );
    this.#inputs = inputs;
    this.ended = Promise.all(ends).then(() => undefined);
  }

  /** The time of the last read, by `performance.now()`. */
  get lastReadAt(): number {
    return this.#lastReadAt;
  }

  read(range?: { readonly offset?: number | undefined; readonly limit?: number | undefined }): OutputPiece {
    return this.#ring.read(range);
  }

  /**
   * Reads the rest of the output of a process that has ended together with everything that it started. Does not wait
   * for other programs that hold its pipes, silent or not.
   */
  async finish(): Promise<void> {
    const most = this.#ring.end + LAST_BYTES;
    let rounds = 0;
    for (let before = -1; this.#ring.end < most && rounds < ROUNDS; ) {
      const isWaiting = this.#inputs.some((input) => input.isWaiting);
      if (!isWaiting && before === this.#ring.end) break;
      // A silence that begins while nothing is read says nothing.
      before = isWaiting ? -1 : this.#ring.end;
      if (!isWaiting) rounds++;
      if (await this.endsWithin(SILENCE_MS)) return;
    }
    for (const stream of this.#streams) stream.destroy();
  }

  async endsWithin(ms: number): Promise<boolean> {
    const abort = new AbortController();
    const silence = delay(ms, false, { signal: abort.signal })
      // Output that arrived while the gateway was busy is read before it counts as silent.
      .then(() => nextTurn(false))
      .catch(() => false);
    const isEnded = await Promise.race([this.ended.then(() => true), silence]);
    abort.abort();
    return isEnded;
  }

  #read(stream: Readable, index: number, onEnd: () => void): PacedInput {
    const characters = new WholeCharacters();
    stream.on('error', () => undefined);
    stream.on('close', onEnd);
    return new PacedInput(
      stream,
      {
        consume: (chunk) => {
          this.#take(characters.push(chunk), index);
          return chunk.length;
        },
        onEnd: () => {
          this.#take(characters.end(), index);
          onEnd();
        },
      },
      { share: this.#options.share },
    );
  }

  #take(bytes: Buffer, stream: number): void {
    if (bytes.length === 0) return;
    this.#lastReadAt = performance.now();
    this.#ring.push(bytes);
    const room = this.#options.onText(bytes.toString('utf8'), stream);
    if (room === undefined) return;
    // Each time: Node resumes the streams of a process that exits.
    for (const input of this.#inputs) input.hold();
    if (this.#isHeld) return;
    this.#isHeld = true;
    const release = () => {
      this.#isHeld = false;
      for (const input of this.#inputs) input.release();
    };
    room.then(release, release);
  }
}
