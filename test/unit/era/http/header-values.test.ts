import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from '../../../../src/era/http/header-values.ts';

test.each([
  ['us-west1', 'us-west1'],
  ['a b\tc', 'a b\tc'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['\tx', '=?base64?CXg=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
  ['', '=?base64??='],
  ['\u007f', '=?base64?fw==?='],
])('%j is sent as %s', (text, value) => {
  expect(encodeHeaderValue(text)).toBe(value);
  expect(decodeHeaderValue(value)).toBe(text);
});

describe('what cannot be read', () => {
  test.each([
    ['Base64 without its padding', '=?base64?SGVsbG8?='],
    ['letters that Base64 does not have', '=?base64?SGVs!!!bG8=?='],
    ['Base64 in its spelling for URLs', '=?base64?_-8=?='],
    ['bits behind the end', '=?base64?SGVsbG9=?='],
    ['bytes that are no UTF-8', '=?base64?/w==?='],
    ['a letter that is not ASCII', 'Zürich'],
    ['a control character', 'a\u0000b'],
    ['a line feed', 'a\nb'],
    ['DEL', 'a\u007f'],
  ])('%s', (_what, value) => expect(decodeHeaderValue(value)).toBeUndefined());
});

test.each(['=?BASE64?SGVsbG8=?=', '=?base64?SGVsbG8=', 'SGVsbG8=?=', '=?base64?='])(
  '%s is meant as it stands',
  (value) => expect(decodeHeaderValue(value)).toBe(value),
);

test('every text comes through, in characters that HTTP lets pass', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const value = encodeHeaderValue(text);
      expect(value).toMatch(/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/);
      expect(decodeHeaderValue(value)).toBe(text);
    }),
  );
});

test('no value makes reading throw, and what is read says the same when it is sent again', () => {
  const pieces = fc.constantFrom('=?base64?', '?=', 'SGVsbG8=', 'é', '\0', ' ', 'a', '=');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces })), (value) => {
      const text = decodeHeaderValue(value);
      if (text !== undefined) expect(decodeHeaderValue(encodeHeaderValue(text))).toBe(text);
    }),
  );
});
