import { JsonTextError } from '../json-error.ts';
import { isEscapable, isHex } from './characters.ts';
import { CHECKED_STRING_BYTES } from './limits.ts';
import { BACKSLASH, closingQuote, controlCharacterIn, isEscaped, QUOTE } from './string-search.ts';

const LOWER_U = 0x75;
/** A number of bytes that no JavaScript string has; a small integer to V8. */
const EVERY_BYTE = 0x3fff_ffff;

/** The part of an escape that is missing: none, the byte behind the backslash, or that many hexadecimal digits. */
const NO_ESCAPE = 0;
const HEX_DIGITS = 4;
const ESCAPED_BYTE = 5;

/** Scans one string after the other, from behind the opening quote; strings may be cut anywhere. */
export class StringScanner {
  /** The number of bytes that are still searched for bad escapes. */
  #checkLeft = 0;
  #missing = NO_ESCAPE;

  /** Forgets a string that did not end. */
  reset(): void {
    this.#missing = NO_ESCAPE;
  }

  /** Begins a string that is searched for bad escapes up to `CHECKED_STRING_BYTES`. */
  begin(): void {
    this.#checkLeft = CHECKED_STRING_BYTES;
  }

  /** Begins a string that is searched for bad escapes to its end. */
  beginChecked(): void {
    this.#checkLeft = EVERY_BYTE;
  }

  /**
   * Scans on in `piece` from `from` to `to`; `base` is what to add to an index of the piece to get an offset of the text.
   * Returns the index behind the closing quote, or -1 when the string goes on in the next piece.
   * @throws JsonTextError for a control character or a bad escape
   */
  scan(piece: Buffer, from: number, to: number, base: number): number {
    let at = this.#missing === NO_ESCAPE ? from : this.#takeEscaped(piece, from, to, base);
    while (at < to) {
      const checkedEnd = Math.min(to, at + this.#checkLeft);
      const start = at;
      let byte = 0;
      while (at < checkedEnd) {
        byte = piece[at]!;
        if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
        at++;
      }
      this.#checkLeft -= at - start;
      if (at === checkedEnd) return at < to ? this.#hop(piece, at, to, base) : -1;
      if (byte === QUOTE) return at + 1;
      if (byte !== BACKSLASH) failControlCharacter(base + at);
      this.#missing = ESCAPED_BYTE;
      at = this.#takeEscaped(piece, at + 1, to, base);
    }
    return -1;
  }

  /** Takes the rest of a long string: its end, and control characters, are found in a fifth of the time of a look at each byte. */
  #hop(piece: Buffer, from: number, to: number, base: number): number {
    const end = closingQuote(piece, from, to);
    const control = controlCharacterIn(piece, from, end);
    if (control !== -1) failControlCharacter(base + control);
    if (end < to) return end + 1;
    if (isEscaped(piece, from, end)) this.#missing = ESCAPED_BYTE;
    return -1;
  }

  /** Takes what the piece has of an escape, from behind the backslash on. Returns the index behind it. */
  #takeEscaped(piece: Buffer, from: number, to: number, base: number): number {
    let at = from;
    while (at < to && this.#missing !== NO_ESCAPE) {
      const byte = piece[at]!;
      if (this.#missing === ESCAPED_BYTE) this.#missing = this.#digitsBehind(byte, base + at);
      else if (isHex(byte)) this.#missing--;
      else throw new JsonTextError('bad \\u escape', base + at);
      at++;
    }
    return at;
  }

  /** Returns how many hexadecimal digits belong behind this byte of an escape. */
  #digitsBehind(byte: number, offset: number): number {
    if (this.#checkLeft === 0) {
      if (byte < 0x20) failControlCharacter(offset);
      return 0;
    }
    if (byte === LOWER_U) return HEX_DIGITS;
    if (!isEscapable(byte)) throw new JsonTextError('bad escape in a string', offset);
    return 0;
  }
}

function failControlCharacter(offset: number): never {
  throw new JsonTextError('control character in a string', offset);
}
