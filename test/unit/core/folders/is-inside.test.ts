import { expect, test } from 'vitest';
import { isInside } from '../../../../src/core/folders/is-inside.ts';

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c/d', true],
  ['/a/b', '/a/b/..c', true],
  ['/', '/a', true],
  ['/a/b', '/a', false],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/a/c', false],
  ['/a/b', '/a/b/../c', false],
])('in %s is %s: %s', (folder, place, expected) => {
  expect(isInside(folder, place)).toBe(expected);
});
