import { expect, test } from 'vitest';
import { fuse } from '../../../../src/knowledge/vectors/fuse.ts';

test('two scores become one by their least and greatest values', () => {
  const scores = [
    { lexical: 10, cosine: 0.2 },
    { lexical: 5, cosine: 0.8 },
    { lexical: 0, cosine: 0.5 },
  ];
  expect(fuse(scores, 0.5).map((score) => score.toFixed(3))).toEqual(['0.500', '0.750', '0.250']);
  expect(fuse(scores, 0.3)[0]).toBeCloseTo(0.7);
});

test('a chunk without a vector keeps its place by words', () => {
  const scores = [
    { lexical: 10, cosine: undefined },
    { lexical: 2, cosine: 0.9 },
    { lexical: 2, cosine: 0.1 },
  ];
  expect(fuse(scores, 0.5)).toEqual([1, 0.6, 0.1]);
});

test('scores that are all equal are all as good as can be', () => {
  expect(fuse([{ lexical: 3, cosine: 0.4 }], 0.5)).toEqual([1]);
  expect(fuse([], 0.5)).toEqual([]);
  expect(fuse([{ lexical: 0, cosine: undefined }], 0.5)).toEqual([0]);
});
