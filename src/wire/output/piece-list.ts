/** A piece below this size is copied: each costs about a hundred bytes of its own, and may keep a large chunk alive. */
const SMALL_PIECE = 4 * 1024;
/** A piece that is less than this part of the memory it lies in is copied too. */
const LEAST_SHARE = 1 / 4;
const FIRST_BLOCK = 512;
const LARGEST_BLOCK = 64 * 1024;

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * The pieces of a text that arrives in parts. A peer decides how its text is cut: small pieces are copied together, so that
 * the memory stays in proportion to the bytes. Large pieces are kept as they are.
 */
export class PieceList {
  #pieces: Buffer[] = [];
  /** The buffer that small pieces are copied to; the part from `#start` to `#end` is not in `#pieces` yet. */
  #block = NOTHING;
  #start = 0;
  #end = 0;
  #length = 0;

  /** Bytes that were added. */
  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    if (piece.length >= SMALL_PIECE && piece.length >= piece.buffer.byteLength * LEAST_SHARE) {
      this.#closeRun();
      this.#pieces.push(piece);
    } else if (piece.length > 0) this.#copy(piece);
    this.#length += piece.length;
  }

  /** Returns the first bytes, at most `most`. */
  head(most: number): Buffer {
    this.#closeRun();
    const parts: Buffer[] = [];
    for (let room = most, index = 0; room > 0 && index < this.#pieces.length; index++) {
      const part = this.#pieces[index]!.subarray(0, room);
      parts.push(part);
      room -= part.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Returns all bytes in one Buffer. */
  joined(): Buffer {
    this.#closeRun();
    return this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
  }

  /** Returns the pieces and forgets them. They belong to the caller. */
  take(): Buffer[] {
    this.#closeRun();
    const pieces = this.#pieces;
    this.#pieces = [];
    // The rest of the block must not be shared between two texts: a reference to one would keep both in memory.
    this.#block = NOTHING;
    this.#start = this.#end = this.#length = 0;
    return pieces;
  }

  #copy(piece: Buffer): void {
    if (this.#end + piece.length > this.#block.length) {
      this.#closeRun();
      const size = Math.min(Math.max(FIRST_BLOCK, this.#length), LARGEST_BLOCK);
      this.#block = Buffer.allocUnsafeSlow(Math.max(size, piece.length));
      this.#start = this.#end = 0;
    }
    this.#block.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Ends the run of small pieces: they are one piece from now on. */
  #closeRun(): void {
    if (this.#end > this.#start) this.#pieces.push(this.#block.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
