import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { wholeNumber } from '../../../../../src/commands/terminal/flags/number-flag.ts';

test.each([
  ['0', 0],
  ['65535', 65_535],
])('%s is a number from 0 to 65535', (text, value) => {
  expect(wholeNumber(0, 65_535)(text)).toBe(value);
});

test.each(['65536', '-1', '1.5', '1e3', ' 1', '', 'x', '0x10'])('"%s" is none', (text) => {
  expect(() => wholeNumber(0, 65_535)(text)).toThrow(
    new InvalidArgumentError('It must be a whole number from 0 to 65535.'),
  );
});

test('without an upper bound, every number is accepted that JavaScript keeps exactly', () => {
  expect(wholeNumber(1)('999999999999999')).toBe(999_999_999_999_999);
  for (const text of ['0', '9999999999999999'])
    expect(() => wholeNumber(1)(text)).toThrow('It must be a whole number of at least 1.');
});
