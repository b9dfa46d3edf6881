import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, fingerprint } from '../../../../src/core/json/canonical.ts';

describe('canonicalJson', () => {
  test.each([
    ['keys are sorted by code unit', { b: 1, a: { d: 1, c: 2 }, B: 3 }, '{"B":3,"a":{"c":2,"d":1},"b":1}'],
    ['the order of items is kept', [3, 1, [2]], '[3,1,[2]]'],
    ['members without a JSON form are left out', { a: undefined, b: () => 1, c: null }, '{"c":null}'],
    ['items without a JSON form become null', [undefined, Symbol('x'), Number.NaN], '[null,null,null]'],
    ['texts are escaped', { 'a"\n': '\u2028"' }, '{"a\\"\\n":"\u2028\\""}'],
    ['a big integer is its digits', { id: 12345678901234567890n }, '{"id":12345678901234567890}'],
    ['a member named __proto__ is a member', JSON.parse('{"z":1,"__proto__":{"y":2}}'), '{"__proto__":{"y":2},"z":1}'],
    ['nothing at all', undefined, 'null'],
  ])('%s', (_title, value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  test('gives JSON of the same value, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(withKeysReversed(value))).toBe(text);
      }),
    );
  });

  test('two texts are the same exactly when the values are equal', () => {
    const value = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary-ascii' });
    const pair = fc.oneof(
      fc.tuple(value, value),
      value.map((one) => [one, withKeysReversed(one)] as const),
    );
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const areEqual = isDeepStrictEqual(JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right)));
        expect(canonicalJson(left) === canonicalJson(right)).toBe(areEqual);
      }),
    );
  });

  test('depth is no matter', () => {
    const levels = 100_000;
    const text = canonicalJson(JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`));
    expect(text).toHaveLength(2 * levels);
  });

  test('a value may occur twice, but not inside itself', () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
    const circular: Record<string, unknown> = {};
    circular.self = { circular };
    expect(() => canonicalJson(circular)).toThrow(TypeError);
  });
});

describe('fingerprint', () => {
  test('is the SHA-256 of the canonical JSON', () => {
    // printf '{"a":1,"b":2}' | sha256sum
    const expected = '43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777';
    expect(fingerprint({ b: 2, a: 1 })).toBe(expected);
  });

  test('sees a changed value', () => {
    expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: 2 }));
  });
});

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, member]) => [key, withKeysReversed(member)]));
}
