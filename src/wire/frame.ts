import { type ByteString, type Bytes, SMALL_BYTES } from './bytes.ts';
import { JsonScanner, type Outline, type Span } from './scanner.ts';

/** One JSON text as it arrived, scanned once: its pieces, and the outline of its outermost value. */
export class Frame {
  readonly outline: Outline;
  /** Bytes in all pieces, white space around the value included. */
  readonly length: number;
  #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[], length: number, outline: Outline) {
    this.#pieces = pieces;
    this.length = length;
    this.outline = outline;
  }

  /**
   * Scans a whole text.
   * @throws JsonTextError when it is not exactly one JSON value.
   */
  static of(text: Buffer): Frame {
    const scanner = new JsonScanner();
    scanner.push(text);
    return new Frame([text], text.length, scanner.finish());
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** The text in one Buffer: spans index into it. Joined at first use, because large frames mostly pass unread. */
  get text(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces, this.length)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  /** One byte, without joining the pieces. */
  byteAt(offset: number): number | undefined {
    let base = 0;
    for (const piece of this.#pieces) {
      if (offset < base + piece.length) return piece[offset - base];
      base += piece.length;
    }
    return undefined;
  }

  /** Copies a short span without joining the pieces. */
  raw(span: Span): ByteString {
    let result = '';
    let base = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(span.start - base, 0);
      const to = Math.min(span.end - base, piece.length);
      if (from < to) result += piece.toString('latin1', from, to);
      base += piece.length;
      if (base >= span.end) break;
    }
    return result;
  }

  /** The value's bytes, without white space around it. */
  bytes(): Bytes {
    return this.splice([]);
  }

  /** The value's bytes with some spans replaced. `edits` are in order and do not overlap. */
  splice(edits: readonly Edit[]): Bytes {
    if (this.length <= SMALL_BYTES && this.#pieces.length === 1) return this.#spliceSmall(edits);
    const out: Buffer[] = [];
    let at = this.outline.start;
    for (const edit of edits) {
      this.#copyPieces(out, at, edit.start);
      if (edit.text !== '') out.push(Buffer.from(edit.text, 'latin1'));
      at = edit.end;
    }
    this.#copyPieces(out, at, this.outline.end);
    return out;
  }

  #spliceSmall(edits: readonly Edit[]): ByteString {
    const text = this.#pieces[0]!;
    let at = this.outline.start;
    let result = '';
    for (const edit of edits) {
      result += text.toString('latin1', at, edit.start) + edit.text;
      at = edit.end;
    }
    return result + text.toString('latin1', at, this.outline.end);
  }

  #copyPieces(out: Buffer[], start: number, end: number): void {
    let base = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(start - base, 0);
      const to = Math.min(end - base, piece.length);
      if (from < to) out.push(piece.subarray(from, to));
      base += piece.length;
      if (base >= end) return;
    }
  }
}

/** A span and what stands there instead. */
export interface Edit extends Span {
  readonly text: ByteString;
}
