import { type ByteString, type Bytes, SMALL_BYTES } from './bytes.ts';
import { outlineOf, partsOfPieces, peerOutline } from './lens.ts';
import { withoutLineBreaks } from './lines/one-line.ts';
import type { Member, Outline, Span } from './scanning/outline.ts';

interface Opened {
  readonly span: Span;
  readonly members: readonly Member[];
}

/**
 * One JSON text as it arrived, scanned once: its pieces, and the outline of its outermost value. Spans count from the
 * start of the first piece; that may be a chunk of the stream in which other frames are before and behind this one.
 *
 * A frame is always on one line, on every transport: line breaks between its tokens become spaces here. Readers of
 * lines would take each of its lines for a message.
 */
export class Frame {
  readonly outline: Outline;
  #pieces: readonly Buffer[];
  /** The objects that were looked into last: mostly the params of a request, and `_meta` in them. */
  #newest: Opened | undefined;
  #older: Opened | undefined;

  /** Takes over `pieces`: where the text has line breaks, they are overwritten. */
  constructor(pieces: readonly Buffer[], outline: Outline) {
    this.#pieces = outline.hasLineBreaks ? withoutLineBreaks(pieces, outline) : pieces;
    this.outline = outline;
  }

  /**
   * Scans a whole text, and takes it over like the constructor.
   * @throws JsonTextError when it is not exactly one JSON value.
   */
  static of(text: Buffer): Frame {
    return new Frame([text], outlineOf(text));
  }

  /**
   * The same for a text of a peer.
   * @throws JsonTextError when it is not exactly one JSON value, or exceeds a limit of `scannerForPeer`.
   */
  static ofPeer(text: Buffer): Frame {
    return new Frame([text], peerOutline(text));
  }

  get pieces(): readonly Buffer[] {
    return this.#pieces;
  }

  /** The Buffer that spans index into. Joined at first use, because large frames mostly pass unread. */
  get text(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0]!;
  }

  /**
   * Returns the members of the object in `span`. Several look into the params of one request and their `_meta`, one after the
   * other: for the same spans the text is scanned once.
   * @throws JsonTextError when it is not JSON, or not an object.
   */
  membersOf(span: Span): readonly Member[] {
    if (this.#newest?.span === span) return this.#newest.members;
    const found =
      this.#older?.span === span ? this.#older : { span, members: partsOfPieces('object', this.#pieces, span) };
    this.#older = this.#newest;
    this.#newest = found;
    return found.members;
  }

  /**
   * Returns the elements of the array in `span`.
   * @throws JsonTextError when it is not JSON, not an array, or has more than `MAX_PARTS` elements.
   */
  elementsOf(span: Span): readonly Span[] {
    return partsOfPieces('array', this.#pieces, span);
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
    if (this.#pieces.length === 1) return this.#pieces[0]!.latin1Slice(span.start, span.end);
    let result = '';
    let base = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(span.start - base, 0);
      const to = Math.min(span.end - base, piece.length);
      if (from < to) result += piece.latin1Slice(from, to);
      base += piece.length;
      if (base >= span.end) break;
    }
    return result;
  }

  /** Returns the value's bytes, without white space around it. */
  bytes(): Bytes {
    return this.splice([]);
  }

  /** Returns the value's bytes with some spans replaced. `edits` are in order and do not overlap. */
  splice(edits: readonly Edit[]): Bytes {
    const { start, end } = this.outline;
    if (end - start <= SMALL_BYTES && this.#pieces.length === 1) return this.#spliceSmall(edits);
    return this.#splicePieces(edits);
  }

  /** A peer decides how many pieces and edits there are: both are gone through once, together. */
  #splicePieces(edits: readonly Edit[]): Bytes {
    const { start, end } = this.outline;
    const out: Buffer[] = [];
    const copy = this.#copier(out);
    let at = start;
    for (const edit of edits) {
      copy(at, edit.start);
      if (edit.text !== '') out.push(Buffer.from(edit.text, 'latin1'));
      at = edit.end;
    }
    copy(at, end);
    return out;
  }

  #spliceSmall(edits: readonly Edit[]): ByteString {
    const text = this.#pieces[0]!;
    let at = this.outline.start;
    let result = '';
    for (const edit of edits) {
      result += text.latin1Slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    return result + text.latin1Slice(at, this.outline.end);
  }

  /** Returns what adds the bytes of a span to `out`; each span begins where the one before ended, or behind it. */
  #copier(out: Buffer[]): (start: number, end: number) => void {
    const pieces = this.#pieces;
    let index = 0;
    let base = 0;
    return (start, end) => {
      for (; index < pieces.length; index++) {
        const piece = pieces[index]!;
        const from = Math.max(start - base, 0);
        const to = Math.min(end - base, piece.length);
        if (from < to) out.push(piece.subarray(from, to));
        // The next span may begin in the piece in which this one ends.
        if (base + piece.length > end) return;
        base += piece.length;
      }
    };
  }
}

/** A span and what is there instead. */
export interface Edit extends Span {
  readonly text: ByteString;
}
