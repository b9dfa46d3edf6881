import { type Bytes, byteLength } from '../../wire/bytes.ts';

/** Messages that cannot be sent yet, in order. How many bytes they have is asked for with each one that is added. */
export class HeldFrames<Held extends Bytes | Buffer> {
  #frames: Held[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(frame: Held): void {
    this.#frames.push(frame);
    this.#bytes += Buffer.isBuffer(frame) ? frame.length : byteLength(frame);
  }

  /** Returns the messages and forgets them. */
  take(): readonly Held[] {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    return frames;
  }
}
