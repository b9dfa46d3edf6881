import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findText } from '../../../../src/core/text/find-text.ts';

const few = (most: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: most }).map((parts) => parts.join(''));

test('a text is found where indexOf finds it', () => {
  fc.assert(
    fc.property(few(40), fc.nat(60), fc.nat(3), few(12), fc.nat(700), (unit, count, more, end, from) => {
      const text = unit.repeat(count) + end;
      const wanted = unit.repeat(Math.max(1, Math.ceil(257 / unit.length) + more)) + end.slice(0, 2);
      expect(findText(text, wanted, from)).toBe(text.indexOf(wanted, from));
      expect(findText(text, end, from)).toBe(text.indexOf(end, from));
    }),
    { numRuns: 500 },
  );
  expect(findText('x'.repeat(1_000), 'x'.repeat(300), 200)).toBe(200);
  expect(findText('abc', '')).toBe(0);
});

test('a text that is made to be searched for long is searched through once', () => {
  // The search of V8 takes hours for it.
  const half = 'a'.repeat(1_000_000);
  expect(findText('a'.repeat(8_000_000), `${half}b${half}`)).toBe(-1);
});
