import { expect, test } from 'vitest';
import { durationText } from '../../../../src/core/text/duration-text.ts';

test.each([
  [0, '0s'],
  [-5, '0s'],
  [250, '250ms'],
  [1_000, '1s'],
  [1_500, '1.5s'],
  [59_999.6, '1m0s'],
  [90_500, '1m30.5s'],
  [3_600_000, '1h0m0s'],
  [90_061_001, '25h1m1.001s'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
