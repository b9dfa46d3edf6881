import { editDistance } from './edit-distance.ts';

/** The longest name that is compared: the work grows with the square. */
const MAX_LENGTH = 128;
const SHOWN = 5;
/** Pairs of letters that are compared at most: some ten milliseconds, however many tools there are. */
const BUDGET = 250_000;

/** A name under which something can be found: the name that is told, and the one that is compared. */
export interface NamedCandidate {
  readonly told: string;
  readonly compared: string;
}

interface Ranked {
  readonly told: string;
  readonly distance: number;
}

/** Returns the names that were most likely meant by `wanted`, the nearest first; at most five. */
export function nearestNames(wanted: string, candidates: readonly NamedCandidate[]): string[] {
  const word = folded(wanted);
  if (word === '' || word.length > MAX_LENGTH) return [];
  const names = candidates.map(({ told, compared }) => ({ told, name: folded(compared) }));
  const containing = names
    .filter(({ name }) => word.length >= 3 && name.includes(word))
    // After all that are near by their letters.
    .map(({ told, name }) => ({ told, distance: name === word ? 0 : MAX_LENGTH + name.length }));
  const ranked = [...nearByLetters(word, names), ...containing].sort((a, b) => a.distance - b.distance);
  return [...new Set(ranked.map(({ told }) => told))].slice(0, SHOWN);
}

/** `read_file`, `readFile` and `read-file` count as one name when names are guessed. */
function folded(name: string): string {
  return name.replace(/[_\-\s.]/g, '').toLowerCase();
}

/** If there are too many to compare, only those of the most similar length are compared. */
function nearByLetters(word: string, names: readonly { readonly told: string; readonly name: string }[]): Ranked[] {
  const gap = (name: string): number => Math.abs(word.length - name.length);
  const limit = (name: string): number => Math.floor(Math.min(word.length, name.length) / 3);
  const near = names.filter(({ name }) => name.length <= MAX_LENGTH && gap(name) <= limit(name));
  const found: Ranked[] = [];
  let left = BUDGET;
  for (const { told, name } of near.sort((a, b) => gap(a.name) - gap(b.name))) {
    left -= word.length * name.length;
    if (left < 0) break;
    const distance = editDistance(word, name);
    if (distance <= limit(name)) found.push({ told, distance });
  }
  return found;
}
