import { expect, test } from 'vitest';
import { logFirst } from '../../../../../src/upstream/lists/entries/log-first.ts';

test.each([
  [0, 0, []],
  [10, 10, []],
  [11, 10, [1]],
  [25, 10, [15]],
])('of %i entries %i are logged, and how many others there are', (count, logged, rest) => {
  const ones: number[] = [];
  const rests: number[] = [];
  const items = Array.from({ length: count }, (_, index) => index);
  logFirst(
    items,
    (one) => ones.push(one),
    (left) => rests.push(left),
  );
  expect([ones, rests]).toEqual([items.slice(0, logged), rest]);
});
