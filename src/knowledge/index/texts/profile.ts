/**
 * The number of times each term is in the text, in four bytes a term: a hash of 24 bits, and the count up to 255. Scores by it are the
 * same in all databases, and need no text. Two terms of one text seldom have one hash, and then count as one.
 */
const MAX_COUNT = 255;

export interface Profile {
  readonly profile: Uint8Array;
  /** Terms of the text, equal ones included. */
  readonly length: number;
}

/** Returns the profile of a text from the number of times that it has each term. */
export function profileOf(counts: ReadonlyMap<string, number>): Profile {
  const profile = new Uint32Array(counts.size);
  let length = 0;
  let at = 0;
  for (const [term, count] of counts) {
    length += count;
    profile[at++] = hashOf(term) * 256 + Math.min(count, MAX_COUNT);
  }
  return { profile: new Uint8Array(profile.buffer), length };
}

/** Returns how often each of the terms, given by their hashes, is in the text of a profile. */
export function countsIn(profile: Uint8Array, hashes: readonly number[]): readonly number[] {
  const counts = hashes.map(() => 0);
  for (let at = 0; at < profile.length; at += 4) {
    const hash = profile[at + 1]! + profile[at + 2]! * 256 + profile[at + 3]! * 65_536;
    const which = hashes.indexOf(hash);
    if (which !== -1) counts[which] = counts[which]! + profile[at]!;
  }
  return counts;
}

/** FNV-1a over the UTF-16 units of a term, folded to 24 bits. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}
