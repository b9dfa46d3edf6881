import { createHash } from 'node:crypto';
import { storableText } from '../../core/stores/storable-text.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** The limit on an indexed text: PostgreSQL takes 2,704 bytes into one of its rows. */
const MAX_KEY_BYTES = 1_024;
const HASHED = 'sha256:';

/**
 * Returns the largest whole number up to the given one, and 0 for what is negative or no number: as the limit of a query. SQLite
 * refuses limits with fractions, PostgreSQL those beyond 64 bits.
 */
export function limitOf(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.trunc(Math.min(Math.max(limit, 0), MOST));
}

/**
 * Returns the smallest whole number from the given one on that both databases can compare with a column of whole numbers;
 * `column >= it` and `column < it` hold for the same rows as with the given one.
 */
export function boundOf(number: number): number {
  return Math.ceil(Math.min(Math.max(number, -MOST), MOST));
}

/** Returns whether a number can be that of a row. */
export function isRowNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0;
}

/** Returns whether every database takes a text as it is, into an index too. */
export function isKey(text: string): boolean {
  return storableText(text) === text && Buffer.byteLength(text) <= MAX_KEY_BYTES;
}

/** Returns a text that every database can have in an index, and that is another one for each text: itself, or its hash. */
export function keyOf(text: string): string {
  if (isKey(text) && !text.startsWith(HASHED)) return text;
  // By its UTF-16 units: UTF-8 has no lone surrogates, and would make one text of several.
  return `${HASHED}${createHash('sha256').update(text, 'utf16le').digest('hex')}`;
}
