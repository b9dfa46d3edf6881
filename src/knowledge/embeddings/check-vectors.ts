/** Expectations for an answer with vectors. */
export interface Expected {
  readonly count: number;
  /** Length of each vector, where the config says it. */
  readonly dimensions: number | undefined;
}

/**
 * Reads the vectors of an answer.
 * @returns the vectors, or the words that say what is wrong with them
 */
export function checkVectors(answer: unknown, { count, dimensions }: Expected): Float32Array[] | string {
  if (!Array.isArray(answer)) return 'without vectors';
  if (answer.length !== count) return `with ${answer.length} vectors for ${count} texts`;
  const length = dimensions ?? lengthOf(answer[0]);
  const vectors: Float32Array[] = [];
  for (const value of answer as unknown[]) {
    const vector = vectorOf(value);
    if (vector === undefined) return 'with a vector that is no list of finite numbers';
    if (vector.length !== length) return wrongLength(vector.length, length, dimensions);
    vectors.push(vector);
  }
  return vectors;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function wrongLength(found: number, length: number, configured: number | undefined): string {
  if (configured === undefined) return `with vectors of different lengths, ${length} and ${found}`;
  return `with vectors of ${found} numbers, and "dimensions" in the config is ${configured}`;
}

/** A number that is finite may not be in 32 bits. */
function vectorOf(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const vector = new Float32Array(value.length);
  for (const [index, number] of (value as unknown[]).entries()) {
    vector[index] = typeof number === 'number' ? number : Number.NaN;
    if (!Number.isFinite(vector[index])) return undefined;
  }
  return vector;
}
