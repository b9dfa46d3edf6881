import { expect, test } from 'vitest';
import { durationText } from '../../../../src/core/text/duration-text.ts';

test.each([
  [-5, '0ms'],
  [0, '0ms'],
  [850.4, '850ms'],
  [999.6, '1s'],
  [12_999, '12s'],
  [60_000, '1m00s'],
  [72_000, '1m12s'],
  [3_599_999, '59m59s'],
  [7_380_000, '2h03m'],
  [90_000_000, '25h00m'],
])('%s milliseconds are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
