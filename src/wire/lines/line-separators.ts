import type { ByteString, Bytes } from '../bytes.ts';

/** U+0085, U+2028 and U+2029 as UTF-8, one character a byte. */
const SEPARATORS = /\xc2\x85|\xe2\x80[\xa8\xa9]/g;
const ESCAPES: Readonly<Record<string, ByteString>> = {
  '\xc2\x85': '\\u0085',
  '\xe2\x80\xa8': '\\u2028',
  '\xe2\x80\xa9': '\\u2029',
};
const SOUGHT = Object.keys(ESCAPES).map((bytes) => Buffer.from(bytes, 'latin1'));

/**
 * Returns a JSON text with U+0085, U+2028 and U+2029 as escapes. JSON has these characters in strings only, so the value
 * stays the same. A text that has none is returned as it is.
 *
 * This is for event streams. Their lines end at CR and LF only, but clients exist that end them at these characters too:
 * those that use `str.splitlines` of Python, such as httpx-sse before 0.4.2 in the MCP SDK. To them a text in a string could
 * be fields of its own, such as `id` or `retry`.
 */
export function escapeLineSeparators(json: Bytes): Bytes {
  if (typeof json === 'string') return escapeInString(json);
  return json.some((piece) => hasSeparator(piece) || unfinishedBytes(piece) > 0) ? escapeInPieces(json) : json;
}

function escapeInString(json: ByteString): ByteString {
  // Two searches in native code cost less than one expression.
  return json.includes('\xe2\x80') || json.includes('\xc2\x85')
    ? json.replaceAll(SEPARATORS, (found) => ESCAPES[found]!)
    : json;
}

/** The end of a piece may be the beginning of a separator: it goes in front of the next one. */
function escapeInPieces(pieces: readonly Buffer[]): Buffer[] {
  const out: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const whole = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const end = whole.length - unfinishedBytes(whole);
    out.push(escapeInPiece(whole.subarray(0, end)));
    rest = whole.subarray(end);
  }
  out.push(rest);
  return out.filter(({ length }) => length > 0);
}

function escapeInPiece(piece: Buffer): Buffer {
  return hasSeparator(piece) ? Buffer.from(escapeInString(piece.latin1Slice()), 'latin1') : piece;
}

function hasSeparator(piece: Buffer): boolean {
  return SOUGHT.some((bytes) => piece.includes(bytes));
}

/** Returns how many bytes at the end of a piece may be the beginning of a separator. */
function unfinishedBytes(piece: Buffer): number {
  const last = piece[piece.length - 1];
  if (last === 0xe2 || last === 0xc2) return 1;
  return last === 0x80 && piece[piece.length - 2] === 0xe2 ? 2 : 0;
}
