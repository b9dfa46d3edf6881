import { expect, test } from 'vitest';
import { Matrix, normalized } from '../../../../src/knowledge/vectors/matrix.ts';

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

test('the nearest vectors are those that comparing all of them finds', () => {
  const next = numbers(7);
  const vectorOf = () => Float32Array.from({ length: 19 }, next);
  const vectors = Array.from({ length: 500 }, vectorOf);
  const matrix = new Matrix(19, 3);
  for (const [text, vector] of vectors.entries()) matrix.add(text, vector);
  const asked = vectorOf();
  const unit = normalized(asked);
  const all = vectors
    .map((vector, text) => ({
      text,
      cosine: normalized(vector).reduce((sum, value, at) => sum + value * unit[at]!, 0),
    }))
    .sort((one, other) => other.cosine - one.cosine);
  const found = matrix.nearest(asked, 10);
  expect(found.map(({ text }) => text)).toEqual(all.slice(0, 10).map(({ text }) => text));
  expect(found[0]!.cosine).toBeCloseTo(all[0]!.cosine, 5);
  expect(matrix.cosines(asked, new Set([all[99]!.text])).get(all[99]!.text)).toBeCloseTo(all[99]!.cosine, 5);
});

test('vectors of another length are left out, and one of zeros is near to nothing', () => {
  const matrix = new Matrix(2, 1);
  matrix.add(1, Float32Array.from([1, 2, 3]));
  matrix.add(2, Float32Array.from([0, 0]));
  expect(matrix.size).toBe(1);
  expect(matrix.nearest(Float32Array.from([1, 0]), 5)).toEqual([{ text: 2, cosine: 0 }]);
});
