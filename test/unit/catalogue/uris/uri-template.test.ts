import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesTemplate } from '../../../../src/catalogue/uris/uri-template.ts';

describe('matchesTemplate', () => {
  test('whatever stands for the expressions, the uri fits', () => {
    const literal = fc.constantFrom('', 'a', '/', 'a/', 'ab', 'file:///', '?x=');
    const value = fc.constantFrom('', 'a', 'b', '/', 'ab/a', 'x=', '%20');
    fc.assert(
      fc.property(literal, fc.array(fc.tuple(value, literal), { maxLength: 4 }), (head, parts) => {
        const template = head + parts.map(([, text]) => `{+v*}${text}`).join('');
        const uri = head + parts.map(([expanded, text]) => expanded + text).join('');
        expect(matchesTemplate(template, uri)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['file:///a', 'file:///a', true],
    ['file:///a', 'file:///ab', false],
    ['file:///{path}', 'file:///', true],
    ['file:///{path}', 'file://', false],
    ['file:///{path}', 'files:///a', false],
    ['{a}/{b}', 'x/y', true],
    ['{a}/{b}', 'xy', false],
    ['a{x}a', 'a', false],
    ['a{x}a', 'aa', true],
    ['a{x}bc{y}c', 'abc', false],
    ['a{x}bc{y}c', 'abcc', true],
    ['{x}b{y}a{z}', 'ab', false],
    ['{x}b{y}a{z}', 'ba', true],
    ['log://{level}/{?q}', 'log://info/', true],
    ['a{b', 'a{b', true],
    ['', '', true],
    ['{x}', '', true],
  ])('%s, %s: %s', (template, uri, expected) => expect(matchesTemplate(template, uri)).toBe(expected));
});

test('a template and a uri that are made to be compared for long are compared in one pass', () => {
  // The search of the runtime takes minutes for it.
  const half = 'a'.repeat(500_000);
  expect(matchesTemplate(`x:{a}${half}b${half}{b}`, `x:${'a'.repeat(4_000_000)}`)).toBe(false);
});
