import { isDigit } from './number-grammar.ts';

export const isLineBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
export const isWhitespace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || isLineBreak(byte);
export const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/** `" \ / b f n r t` */
const ESCAPABLE = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPABLE[byte] = 1;

/** Returns true for a byte that may follow a backslash, apart from `u`. */
export const isEscapable = (byte: number): boolean => ESCAPABLE[byte] === 1;

/** Returns the offset of the first byte from there on that is not white space. */
export function pastWhitespace(text: Buffer, from: number): number {
  let at = from;
  while (at < text.length && isWhitespace(text[at]!)) at++;
  return at;
}
