import { isDigit } from './number-grammar.ts';

export const isLineBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d;
export const isWhitespace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || isLineBreak(byte);
export const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
/** `" \ / b f n r t` */
export const ESCAPABLE = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);
