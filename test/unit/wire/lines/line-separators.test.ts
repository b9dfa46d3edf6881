import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { escapeLineSeparators } from '../../../../src/wire/lines/line-separators.ts';
import { LINE_ENDS } from '../../../support/lines.ts';
import { lineStrings } from '../../../support/spelling.ts';
import { cut, cuts, jsonLines, oneLine } from '../arbitraries.ts';

const textOf = (bytes: Bytes): string => toBuffer(bytes).toString('utf8');

test('a text is one line to every reader, and the same value; nothing else is changed', () => {
  const escaped = (json: string) =>
    json.replaceAll(/[\u0085\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  fc.assert(
    fc.property(jsonLines, fc.array(lineStrings), cuts, (json, strings, places) => {
      const text = oneLine(`[${json},${JSON.stringify(strings)}]`);
      const bytes = Buffer.from(text);
      const small = textOf(escapeLineSeparators(bytes.toString('latin1')));
      expect(small).toBe(escaped(text));
      expect(textOf(escapeLineSeparators(cut(bytes, places)))).toBe(small);
      expect(LINE_ENDS.filter((end) => small.includes(end))).toEqual([]);
      expect(JSON.parse(small)).toEqual(JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('bytes that are no UTF-8 stay as they are', () => {
  const bytes = fc.constantFrom(0xe2, 0x80, 0xa8, 0xa9, 0xc2, 0x85, 0x20, 0x22, 0xff);
  const escaped = (latin1: string) =>
    latin1
      .replaceAll('\xe2\x80\xa8', '\\u2028')
      .replaceAll('\xe2\x80\xa9', '\\u2029')
      .replaceAll('\xc2\x85', '\\u0085');
  fc.assert(
    fc.property(fc.array(bytes), cuts, (all, places) => {
      const buffer = Buffer.from(all);
      const expected = escaped(buffer.toString('latin1'));
      expect(escapeLineSeparators(buffer.toString('latin1'))).toBe(expected);
      expect(toBuffer(escapeLineSeparators(cut(buffer, places))).toString('latin1')).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('a text that has none is given as it came, without a copy', () => {
  const pieces = cut(Buffer.from(`{"a":"é “quoted” 漢字","b":"${'x'.repeat(100)}"}`), [3, 50]);
  expect(escapeLineSeparators(pieces)).toBe(pieces);
});
