import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isClockTrusted } from '../../../../src/store/events/clock-trust.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 29);

/** Looks at clocks that show these days, in turn. */
function looks(...days: number[]): boolean[] {
  const home = temporaryFolder();
  return days.map((day) => isClockTrusted(home, NOW + day * DAY));
}

test.each<[string, number[], boolean[]]>([
  ['a clock is believed when it has been seen for a day', [0, 0.5, 1, 1.5, 20], [false, false, true, true, true]],
  ['a clock that is ahead for a moment is not', [0, 1, 401, 1.1, 2], [false, true, false, true, true]],
  ['a clock that stays ahead is believed after a day', [0, 1, 401, 401.9, 402], [false, true, false, false, true]],
  ['two moments far apart are no day', [0, 1, 401, 900, 900.5, 901], [false, true, false, false, false, true]],
  ['a new clock that was ahead at first is believed after a day', [10, 1, 1.5, 2], [false, false, false, true]],
  ['a clock that was set back is believed', [0, 1, 401, 402, 3], [false, true, false, true, true]],
])('%s', (_what, days, expected) => expect(looks(...days)).toEqual(expected));

test.each(['', '{', 'null', '[]', '{"trusted":"x","doubted":null}'])('a file with %s counts as none', (text) => {
  const home = temporaryFolder();
  const file = path.join(home, 'clock.json');
  writeFileSync(file, text);
  expect(isClockTrusted(home, NOW)).toBe(false);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ doubted: NOW });
});

test('no single look that is far ahead is ever believed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30 * 24), { minLength: 1 }), fc.integer({ min: 31, max: 10_000 }), (hours, jump) => {
      const home = temporaryFolder();
      let now = NOW;
      for (const step of hours) {
        now += step * HOUR;
        isClockTrusted(home, now);
      }
      expect(isClockTrusted(home, now + jump * DAY)).toBe(false);
    }),
    { numRuns: 50 },
  );
});
