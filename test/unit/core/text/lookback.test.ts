import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookBack, parseLookback } from '../../../../src/core/text/lookback.ts';

test.each([
  ['7d', 604_800_000],
  ['24h', 86_400_000],
  ['30m', 1_800_000],
  ['1m', 60_000],
  ['007h', 25_200_000],
  [' 7d\n', 604_800_000],
])('%j is so long', (text, ms) => {
  expect(parseLookback(text)).toEqual({ ok: true, ms });
});

test.each([
  '',
  ' ',
  'd',
  '7',
  '0d',
  '00m',
  '-7d',
  '+7d',
  '1.5h',
  '7 d',
  '7D',
  '7s',
  '7w',
  '7dd',
  '1d2h',
  '7d\0',
  '٧d',
  '1e3m',
  'constructor',
])('%j is no time span, and is named in the reason', (text) => {
  expect(parseLookback(text)).toEqual({ ok: false, reason: expect.stringContaining(JSON.stringify(text)) });
});

test('every positive whole number with a unit is one, as long as it says', () => {
  const units = fc.constantFrom(['d', 86_400_000] as const, ['h', 3_600_000] as const, ['m', 60_000] as const);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), units, (count, [unit, ms]) => {
      expect(parseLookback(`${count}${unit}`)).toEqual({ ok: true, ms: count * ms });
    }),
  );
});

test('any other text is refused, with a reason of bounded length', () => {
  const other = fc.string({ unit: 'binary' }).filter((text) => !/^\s*0*[1-9]\d*[dhm]\s*$/.test(text));
  fc.assert(
    fc.property(other, (text) => {
      const answer = parseLookback(text);
      expect(answer.ok).toBe(false);
      expect(!answer.ok && answer.reason.length).toBeLessThan(400);
    }),
  );
});

test('nobody looks back further than 1970', () => {
  const far = parseLookback(`${'9'.repeat(400)}d`);
  expect(lookBack(far.ok ? far.ms : Number.NaN)).toBe(0);
  expect(lookBack(1_000, 5_000)).toBe(4_000);
});
