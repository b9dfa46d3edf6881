import { createHash } from 'node:crypto';
import type { Passage } from './passage-store.ts';

/** Characters of the text that have a part in the id. */
const BEGINNING = 100;

/** Returns the UUID of a passage as go-rag makes it: the MD5 of the source, the index and the beginning of the text. */
export function pointId({ source, chunkIndex, text }: Pick<Passage, 'source' | 'chunkIndex' | 'text'>): string {
  // No more is needed: a character has at most two code units.
  const beginning = Array.from(text.slice(0, 2 * BEGINNING))
    .slice(0, BEGINNING)
    .join('');
  const hex = createHash('md5').update(`${source}:${chunkIndex}:${beginning}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
