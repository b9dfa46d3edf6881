import { editDistance } from '../../core/text/edit-distance.ts';

/** The longest name that is compared: the table grows with the square. */
const MAX_LENGTH = 64;

/** Returns the candidate that was most likely meant by `wanted`; `undefined` if none is near. */
export function nearestName(wanted: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .filter((candidate) => candidate.length <= MAX_LENGTH && wanted.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, distance: editDistance(folded(wanted), folded(candidate)) }))
    .filter(({ candidate, distance }) => distance <= tolerance(wanted, candidate))
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.candidate;
}

/** `file_path`, `filePath` and `FilePath` count as one name when names are guessed. */
function folded(name: string): string {
  return name.replace(/[_\-\s.]/g, '').toLowerCase();
}

function tolerance(wanted: string, candidate: string): number {
  return Math.floor(Math.min(wanted.length, candidate.length) / 3);
}
