import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSteps } from '../../../scripts/regex/count-steps.ts';
import { compile, parsePattern } from '../../../scripts/regex/program.ts';

const count = (source: string, flags: string, text: string, limit = 10_000_000) =>
  countSteps(compile(parsePattern(source, flags), flags), text, limit);

const atoms = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\w`, String.raw`\b`, '^', '$', String.raw`\n`);
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atoms,
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+?', '?', '{1,3}', '{2}')).map(([one, many]) => `(?:${one})${many}`),
    fc.tuple(tie('pattern'), fc.constantFrom('?=', '?!', '?<=', '?<!')).map(([one, look]) => `(${look}${one})`),
    tie('pattern').map((one) => `(?:(${one})b|a)`),
  ),
}));

test('finds the matches that the engine finds', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\n', ' '), maxLength: 8 });
  fc.assert(
    fc.property(pattern, fc.constantFrom('g', 'gi', 'gm', 'gs', 'gu'), texts, (source, flags, text) => {
      const expected = [...text.matchAll(new RegExp(source, flags))].map(({ index, 0: found }) => [
        index,
        index + found.length,
      ]);
      const { isCut, matches } = count(source, flags, text);
      fc.pre(!isCut);
      expect(matches).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('follows references to groups', () => {
  expect(count(String.raw`(["'])(.*?)\1`, 'g', `"a'b" 'c'`).matches).toEqual([
    [0, 5],
    [6, 9],
  ]);
});

test('counts twice the steps for a linear pattern and four times for a quadratic one', () => {
  const growth = (source: string) =>
    count(source, 'g', 'a'.repeat(400)).steps / count(source, 'g', 'a'.repeat(200)).steps;
  expect(growth('a')).toBeCloseTo(2, 1);
  expect(growth('a*b')).toBeCloseTo(4, 1);
});

test('stops at the limit', () => {
  expect(count('^(a|a)*$', '', `${'a'.repeat(100)}b`, 10_000)).toMatchObject({ isCut: true, steps: 10_001 });
});
