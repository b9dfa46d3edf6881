import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/json/canonical.ts';
import { exactJson, parseExactJson } from '../../../../src/core/json/exact-json.ts';

/** A number that is written as a whole number too large for a number is read as a bigint. */
const asRead = (double: number): number | bigint =>
  Number.isInteger(double) && !Number.isSafeInteger(double) && Math.abs(double) < 1e21 ? BigInt(double) : double;

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true),
    fc.maxSafeInteger(),
    fc.bigInt(-(2n ** 70n), 2n ** 70n).filter((large) => !Number.isSafeInteger(Number(large))),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((double) => !Object.is(double, -0))
      .map(asRead),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('9007199254740993', '"\\9007199254740993', '__proto__')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

test('what is written is read again, whole numbers of any size included', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(parseExactJson(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
  );
});

test('exactJson writes what JSON.stringify writes, and bigints as numbers', () => {
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = exactJson(value, indent)!;
      expect(parseExactJson(text)).toEqual(value);
      expect(text.includes('\n')).toBe(
        indent !== undefined && JSON.stringify(JSON.parse(text), null, 2).includes('\n'),
      );
    }),
  );
  expect(exactJson({ a: [1n, -9007199254740993n], b: 'x', c: undefined }, 1)).toBe(
    '{\n "a": [\n  1,\n  -9007199254740993\n ],\n "b": "x"\n}',
  );
  expect(exactJson(undefined)).toBeUndefined();
});

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', 9007199254740993n],
  ['100000000000000000', 100000000000000000n],
  ['-18446744073709551616', -18446744073709551616n],
  ['12345678901234567890.5', Number('12345678901234567890.5')],
  ['0.12345678901234567890', Number('0.12345678901234567890')],
  ['1e+0000000000000000000', 1],
  ['[1e-0000000000000000001,-9007199254740993]', [0.1, -9007199254740993n]],
  ['9007199254740993E0', 9007199254740992],
  ['"9007199254740993"', '9007199254740993'],
  ['{"9007199254740993":[9007199254740993]}', { '9007199254740993': [9007199254740993n] }],
])('%s', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test.each(['{9007199254740993:1}', '[00000000000000001]', '9007199254740993 9007199254740993', '"9007199254740993'])(
  'no JSON stays none: %s',
  (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  },
);

test('texts may be as long and as deep as JSON.parse takes them', () => {
  const long = '\\n'.repeat(10_000_000);
  expect(parseExactJson(`["${long}",9007199254740993]`)).toEqual([JSON.parse(`"${long}"`), 9007199254740993n]);
  const deep = `${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}`;
  expect(canonicalJson(parseExactJson(deep))).toBe(deep);
});
