import type { Bytes } from '../bytes.ts';
import type { Span } from '../scanning/outline.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** Stands for a piece that is one line break. */
const ONE_SPACE = Buffer.from(' ');

const isLineBreak = (byte: number): boolean => byte === LINE_FEED || byte === CARRIAGE_RETURN;

/**
 * Puts spaces for the line feeds and carriage returns in a span of a text that was scanned: they can only be white space
 * between tokens. `pieces` belong to the caller and are overwritten, so that all spans stay as they are; a piece of one
 * byte may be shared with other texts and is replaced.
 */
export function withoutLineBreaks(pieces: readonly Buffer[], { start, end }: Span): Buffer[] {
  let base = 0;
  return pieces.map((piece) => {
    const [from, to] = [Math.max(start - base, 0), Math.min(end - base, piece.length)];
    base += piece.length;
    if (piece.length === 1) return from < to && isLineBreak(piece[0]!) ? ONE_SPACE : piece;
    blank(piece, from, to);
    return piece;
  });
}

/**
 * Returns a JSON text for a peer that reads a message a line: with a space for each line feed and carriage return, at which
 * readers of lines cut (Python, Java and .NET at both). Frames have neither, so mostly this returns what it was given.
 */
export function asOneLine(json: Bytes): Bytes {
  if (typeof json === 'string') {
    // Two searches in native code cost less than one expression.
    return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\n\r]/g, ' ') : json;
  }
  return json.some(hasLineBreak) ? json.map((piece) => (hasLineBreak(piece) ? blankCopy(piece) : piece)) : json;
}

function hasLineBreak(piece: Buffer): boolean {
  return piece.includes(LINE_FEED) || piece.includes(CARRIAGE_RETURN);
}

function blankCopy(piece: Buffer): Buffer {
  const copy = Buffer.from(piece);
  blank(copy, 0, copy.length);
  return copy;
}

function blank(piece: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at++) if (isLineBreak(piece[at]!)) piece[at] = SPACE;
}
