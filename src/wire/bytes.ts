/**
 * Bytes on their way out: a string with one character a byte ("latin1") for small texts, because such strings are
 * joined and written at a fraction of a Buffer's cost; a list of Buffers for large ones, so that nothing is copied.
 * A `ByteString` must never be mixed with ordinary text: convert with `toByteString`.
 */
export type ByteString = string;
export type Bytes = ByteString | readonly Buffer[];

/** Texts up to this size are joined as strings. */
export const SMALL_BYTES = 16 * 1024;

/** Ordinary text as UTF-8 bytes, one character a byte. */
export function toByteString(text: string): ByteString {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Returns a value as JSON in UTF-8 bytes. */
export function jsonBytes(value: unknown): ByteString {
  return toByteString(JSON.stringify(value));
}

/** Returns the value of a JSON text; the other way of `jsonBytes`. */
export function parsedBytes(json: ByteString): unknown {
  return JSON.parse(Buffer.from(json, 'latin1').toString('utf8'));
}

export function byteLength(bytes: Bytes): number {
  if (typeof bytes === 'string') return bytes.length;
  let total = 0;
  for (const piece of bytes) total += piece.length;
  return total;
}

export function toBuffer(bytes: Bytes): Buffer {
  if (typeof bytes === 'string') return Buffer.from(bytes, 'latin1');
  return bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes);
}

/** A native count of the bytes is faster from this length on. */
const LONG = 1024;

function isAscii(text: string): boolean {
  if (text.length > LONG) return Buffer.byteLength(text) === text.length;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
