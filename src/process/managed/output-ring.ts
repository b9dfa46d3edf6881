/** A small output needs little room; a large one gets it by doubling. */
const FIRST_BYTES = 4096;
/** The largest number of bytes of a UTF-8 character after its first one. */
const MORE_BYTES = 3;

/** A piece of the output. Positions count the bytes of all that was ever written. */
export interface OutputPiece {
  readonly text: string;
  /** The position at which the piece starts: the requested one, or a later one if those bytes are lost. */
  readonly offset: number;
  /** The position at which the next piece starts. */
  readonly nextOffset: number;
}

/** The newest bytes of an output of UTF-8 text, up to a capacity. */
export class OutputRing {
  readonly #capacity: number;
  #bytes: Buffer;
  #end = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#bytes = Buffer.alloc(Math.min(FIRST_BYTES, capacity));
  }

  /** Position after the last byte written. */
  get end(): number {
    return this.#end;
  }

  push(chunk: Buffer): void {
    this.#grow(this.#end + chunk.length);
    this.#end += chunk.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#capacity));
    const fits = kept.copy(this.#bytes, (this.#end - kept.length) % this.#bytes.length);
    kept.copy(this.#bytes, 0, fits);
  }

  /**
   * Returns the kept output from `offset` on, at most `limit` bytes of it. It starts and ends between characters; a
   * character larger than `limit` is returned whole, so that a reader who continues at `nextOffset` makes progress.
   */
  read({
    offset = 0,
    limit = this.#capacity,
  }: {
    offset?: number | undefined;
    limit?: number | undefined;
  } = {}): OutputPiece {
    const oldest = Math.max(0, this.#end - this.#bytes.length);
    const start = this.#borderFrom(Math.min(Math.max(offset, oldest), this.#end));
    let end = this.#borderUpTo(Math.min(start + limit, this.#end));
    if (end <= start && start < this.#end) end = this.#borderFrom(start + 1);
    return { text: this.#copy(start, end).toString('utf8'), offset: start, nextOffset: end };
  }

  /** Grows the buffer. As long as nothing is lost, the byte at a position is at that index, so growing moves none. */
  #grow(needed: number): void {
    const size = this.#bytes.length;
    if (needed <= size || size === this.#capacity) return;
    const larger = Buffer.alloc(Math.min(this.#capacity, Math.max(needed, size * 2)));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  #copy(from: number, to: number): Buffer {
    const size = this.#bytes.length;
    const start = from % size;
    const upToEdge = this.#bytes.subarray(start, start + to - from);
    return Buffer.concat([upToEdge, this.#bytes.subarray(0, to - from - upToEdge.length)]);
  }

  /**
   * Returns the first border between characters from here on. If none is near it is no text, and each byte counts by
   * itself.
   */
  #borderFrom(position: number): number {
    for (let at = position; at <= position + MORE_BYTES; at++) if (this.#isBorder(at)) return at;
    return position;
  }

  #borderUpTo(position: number): number {
    for (let at = position; at >= position - MORE_BYTES; at--) if (this.#isBorder(at)) return at;
    return position;
  }

  #isBorder(position: number): boolean {
    return position >= this.#end || (this.#bytes[position % this.#bytes.length]! & 0xc0) !== 0x80;
  }
}
