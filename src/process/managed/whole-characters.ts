/** Cuts a stream of UTF-8 between characters: what two streams write can then be put in one without breaking any. */
export class WholeCharacters {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the complete characters, including the remainder of the previous chunk. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinishedBytes(bytes);
    // A copy: a view would keep the whole chunk in memory.
    this.#rest = Buffer.from(bytes.subarray(end));
    return bytes.subarray(0, end);
  }

  /** Returns the remainder at the end of the stream: a character that was never completed. */
  end(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }
}

/** Bytes at the end that begin a character without completing it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < sizeBy(byte) ? count : 0;
  }
  return 0;
}

/** Returns the number of bytes of a character, given its first byte. */
function sizeBy(first: number): number {
  if (first >= 0xf0) return first < 0xf8 ? 4 : 1;
  return first >= 0xe0 ? 3 : 2;
}
