import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { asOneLine, withoutLineBreaks } from '../../../../src/wire/lines/one-line.ts';
import { cut, cuts, jsonTexts, oneLine } from '../arbitraries.ts';

const broken = fc.string({ unit: fc.constantFrom('\r', '\n', 'a') });

describe('asOneLine', () => {
  test('puts a space for each line break, and changes nothing else', () => {
    fc.assert(
      fc.property(jsonTexts, cuts, (json, places) => {
        const bytes = Buffer.from(json);
        expect(asOneLine(bytes.toString('latin1'))).toBe(oneLine(bytes.toString('latin1')));
        expect(toBuffer(asOneLine(cut(bytes, places))).toString()).toBe(oneLine(json));
        expect(bytes.toString()).toBe(json);
      }),
    );
  });

  test('gives what has no line break as it came, without a copy', () => {
    const pieces = cut(Buffer.from('{"a":"é \u2028 漢字"}'), [3, 8]);
    expect(asOneLine(pieces)).toBe(pieces);
  });

  test('copies only the pieces that have one', () => {
    const pieces = ['{"a":"é"', ',\n"b":"', 'x"}'].map((text) => Buffer.from(text));
    const line = asOneLine(pieces) as readonly Buffer[];
    expect([line[0], line[2]]).toEqual([pieces[0], pieces[2]]);
    expect(line[0]).toBe(pieces[0]);
    expect(line[1]!.toString()).toBe(', "b":"');
  });
});

test('withoutLineBreaks changes nothing outside of the span', () => {
  fc.assert(
    fc.property(broken, cuts, fc.nat(), fc.nat(), (text, places, a, b) => {
      const [start = 0, end = 0] = [a, b].map((at) => at % (text.length + 1)).sort((one, other) => one - other);
      const pieces = withoutLineBreaks(cut(Buffer.from(text), places), { start, end });
      const expected = text.slice(0, start) + oneLine(text.slice(start, end)) + text.slice(end);
      expect(Buffer.concat(pieces).toString()).toBe(expected);
    }),
  );
});
