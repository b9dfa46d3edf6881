import { expect, test } from 'vitest';
import { boundOf, isKey, isRowNumber, keyOf, limitOf } from '../../../../src/store/database/values.ts';

const MOST = Number.MAX_SAFE_INTEGER;

test('a text that every index takes is its own key, all others have a short one of their own', () => {
  const longest = 'ü'.repeat(512);
  expect([keyOf(''), keyOf('/a'), keyOf(longest)]).toEqual(['', '/a', longest]);
  const texts = [`${longest}x`, `${longest}y`, 'a\0', 'a\ud800', 'a\ud801', 'a\ufffd'];
  const keys = texts.map(keyOf);
  expect(new Set(keys).size).toBe(texts.length);
  expect(keys.every(isKey)).toBe(true);
});

test('a text that looks like the key of another one has another key', () => {
  const key = keyOf('x'.repeat(2_000));
  expect(isKey(key)).toBe(true);
  expect(keyOf(key)).not.toBe(key);
  expect(keyOf(keyOf(key))).not.toBe(keyOf(key));
});

test.each([
  [3, 3],
  [2.9, 2],
  [0, 0],
  [-1, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, MOST],
  [Number.NEGATIVE_INFINITY, 0],
])('the limit %d is %d', (given, limit) => expect(limitOf(given)).toBe(limit));

test.each([
  [3, 3],
  [2.1, 3],
  [-2.9, -2],
  [Number.POSITIVE_INFINITY, MOST],
  [Number.NEGATIVE_INFINITY, -MOST],
])('the bound %d is %d', (given, bound) => expect(boundOf(given)).toBe(bound));

test('rows have the whole numbers from 1 on', () => {
  expect([1, MOST].map(isRowNumber)).toEqual([true, true]);
  expect([0, -1, 1.5, Number.NaN, MOST + 1, Number.POSITIVE_INFINITY].some(isRowNumber)).toBe(false);
});
