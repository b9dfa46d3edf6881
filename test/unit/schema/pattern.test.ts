import { describe, expect, test } from 'vitest';
import { isPortablePattern, isTamePattern, patternReadings } from '../../../src/schema/pattern.ts';

describe('patternReadings', () => {
  test.each([
    ['^[a-z]+$', 2],
    ['^\\p{L}+$', 2],
    // Only a classic reader takes a needless escape.
    ['^[a-z\\-_]+\\@$', 1],
    ['(', 0],
    ['(?i)abc', 0],
    ['(?P<name>a)', 0],
    ['a++', 0],
    // They compile, but their authors meant something else.
    ['\\Aabc\\Z', 0],
    ['^[[:alpha:]]+$', 0],
    ['\\\\A', 2],
  ])('%s has %i', (pattern, count) => {
    expect(patternReadings(pattern)).toHaveLength(count);
  });
});

test.each([
  ['^a.b$', true],
  ['^\\p{L}$', false],
  ['\\u{61}', false],
  ['[a\\-z]\\@', false],
])('%s is portable: %s', (pattern, expected) => {
  expect(isPortablePattern(pattern)).toBe(expected);
});

test.each([
  ['^[a-z0-9_-]+$', true],
  ['^\\d{4}-\\d{2}-\\d{2}$', true],
  ['^[^/]+/[^/]+$', true],
  ['[0-9a-f]{24}', true],
  ['^.{1,64}$', true],
  ['^(a+)+$', false],
  ['(a|a)*b', false],
  ['[a-z]*[a-z]*x', false],
  ['^a*a*a*$', false],
  ['^a?a?a?a?aaaa$', false],
  ['^(?=a)', false],
  ['(a)\\1+', false],
  ['^a|b+c+d+$', false],
  ['a{2}{3}', false],
  ['[]a]+b+', false],
  ['a'.repeat(200), false],
])('%s is tame: %s', (pattern, expected) => {
  expect(isTamePattern(pattern)).toBe(expected);
});
