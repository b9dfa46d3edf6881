import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, jsonBytes, toBuffer, toByteString } from '../../../src/wire/bytes.ts';

test('ordinary text becomes its UTF-8 bytes, one character a byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const utf8 = Buffer.from(text, 'utf8');
      expect(toBuffer(toByteString(text)).equals(utf8)).toBe(true);
      expect(byteLength(toByteString(text))).toBe(utf8.length);
      expect(toBuffer(jsonBytes([text])).toString()).toBe(JSON.stringify([text]));
    }),
    { numRuns: 200 },
  );
});

test('pieces are joined in order', () => {
  const pieces = ['a', '', 'é'].map((text) => Buffer.from(text));
  expect(byteLength(pieces)).toBe(3);
  expect(toBuffer(pieces).toString()).toBe('aé');
});
