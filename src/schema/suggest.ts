/** Longer names are not compared: the table grows with the square. */
const MAX_LENGTH = 64;

/** Which of `candidates` was most likely meant to be `wanted`; `undefined` when none is near. */
export function nearestName(wanted: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .filter((candidate) => candidate.length <= MAX_LENGTH && wanted.length <= MAX_LENGTH)
    .map((candidate) => ({ candidate, distance: distanceBetween(folded(wanted), folded(candidate)) }))
    .filter(({ candidate, distance }) => distance <= tolerance(wanted, candidate))
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.candidate;
}

/** `file_path`, `filePath` and `FilePath` are one name to somebody who guesses. */
function folded(name: string): string {
  return name.replace(/[_\-\s.]/g, '').toLowerCase();
}

function tolerance(wanted: string, candidate: string): number {
  return Math.floor(Math.min(wanted.length, candidate.length) / 3);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwap ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
