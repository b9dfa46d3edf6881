import { decodePart, markLength, type TextEncoding } from './encoding.ts';

/** The number of extra bytes needed to see a mark, and the end of the character behind it. */
export const CHARACTER_ROOM = 8;
/** The largest number of bytes of a character: after more bytes that start none, it is not text. */
const LONGEST_CHARACTER = 4;

export interface PartQuestion {
  readonly offset: number;
  readonly limit: number;
  readonly encoding: TextEncoding;
}

export interface TextPart {
  readonly text: string;
  /** Its beginning and end in the file, in bytes. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the text in a part of a file, without incomplete characters. It starts with the first character at or after
 * the offset, and ends before the character that would exceed the limit; the first one is always included. `bytes` are
 * those from the offset on, with up to `CHARACTER_ROOM` more than the limit. Returns `undefined` if they are not text.
 */
export function textPart(bytes: Buffer, { offset, limit, encoding }: PartQuestion): TextPart | undefined {
  const start = Math.max(0, markLength(encoding) - offset);
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const begins = isWide ? wideStarts(encoding, offset) : narrowStarts;
  let first = Math.min(start, bytes.length);
  while (first < bytes.length && first < start + LONGEST_CHARACTER && !begins(bytes, first)) first++;
  let end = Math.min(bytes.length, Math.max(limit, first));
  while (end > first && end < bytes.length && !begins(bytes, end)) end--;
  if (end === first) {
    end = Math.min(bytes.length, first + 1);
    while (end < bytes.length && !begins(bytes, end)) end++;
  }
  const text = decodePart(bytes.subarray(first, end), encoding);
  return text === undefined ? undefined : { text, from: offset + first, to: offset + end };
}

function narrowStarts(bytes: Buffer, at: number): boolean {
  return (bytes[at]! & 0xc0) !== 0x80;
}

/** Two bytes each, counted from the start of the file; the second half of a pair begins nothing. */
function wideStarts(encoding: TextEncoding, offset: number) {
  return (bytes: Buffer, at: number): boolean => {
    if ((offset + at) % 2 !== 0) return false;
    const high = bytes[encoding === 'utf-16le' ? at + 1 : at];
    return high === undefined || (high & 0xfc) !== 0xdc;
  };
}
