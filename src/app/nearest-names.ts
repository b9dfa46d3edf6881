import { editDistance } from '../core/edit-distance.ts';

/** Longer names are not compared: the work grows with the square. */
const MAX_LENGTH = 128;
const SHOWN = 5;

/** A name under which something can be found: the name that is told, and the one that is compared. */
export interface NamedCandidate {
  readonly told: string;
  readonly compared: string;
}

/** The names that were most likely meant by `wanted`, the nearest first; at most five. */
export function nearestNames(wanted: string, candidates: readonly NamedCandidate[]): string[] {
  if (wanted.length > MAX_LENGTH) return [];
  const word = folded(wanted);
  const ranked = candidates
    .map(({ told, compared }) => ({ told, distance: distanceOf(word, folded(compared)) }))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => a.distance! - b.distance!);
  return [...new Set(ranked.map(({ told }) => told))].slice(0, SHOWN);
}

/** `read_file`, `readFile` and `read-file` are one name to somebody who guesses. */
function folded(name: string): string {
  return name.replace(/[_\-\s.]/g, '').toLowerCase();
}

/** `undefined` where nobody would mean the one by the other. */
function distanceOf(word: string, candidate: string): number | undefined {
  const limit = Math.floor(Math.min(word.length, candidate.length) / 3);
  if (candidate.length <= MAX_LENGTH && Math.abs(word.length - candidate.length) <= limit) {
    const distance = editDistance(word, candidate);
    if (distance <= limit) return distance;
  }
  // After all that are near by their letters.
  return word.length >= 3 && candidate.includes(word) ? MAX_LENGTH + candidate.length : undefined;
}
