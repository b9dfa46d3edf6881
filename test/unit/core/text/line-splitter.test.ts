import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../../src/core/text/line-splitter.ts';
import { cut, cuts } from '../../wire/arbitraries.ts';

function linesOf(pieces: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return lines;
}

const whole = (text: string) => linesOf([Buffer.from(text)]);

describe('lines', () => {
  test('are the same however the stream is cut, in the middle of characters too', () => {
    const part = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', 'é', '😀', '\u2028', '', ' ', '\0', '\x1b[1m'),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, cuts, (stream, places) => {
        const expected = stream.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
        expect(linesOf(cut(Buffer.from(stream), places))).toEqual(expected.filter((line) => line !== ''));
      }),
      { numRuns: 300 },
    );
  });

  test('come as soon as they end', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    splitter.push(Buffer.from('a\nb'));
    expect(lines).toEqual(['a']);
    splitter.push(Buffer.from('c\n'));
    expect(lines).toEqual(['a', 'bc']);
    splitter.end();
    expect(lines).toEqual(['a', 'bc']);
  });

  test('of invalid UTF-8 are read with U+FFFD, a character that breaks off at the end too', () => {
    expect(linesOf([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xf0, 0x9f])])).toEqual(['a\ufffdb', '\ufffd']);
  });
});

describe('a line over 4,096 characters', () => {
  const x = (count: number) => 'x'.repeat(count);

  test('is cut, and its rest is left out', () => {
    expect(whole(x(4_096))).toEqual([x(4_096)]);
    expect(whole(x(10_000))).toEqual([`${x(4_095)}…`]);
  });

  test('is cut in the same way whether its newline is there already or not, however it arrives', () => {
    const stream = Buffer.from(`${x(10_000)}\nshort\r\n${x(4_096)}\r\n${x(4_097)}\r\nend`);
    const expected = [`${x(4_095)}…`, 'short', x(4_096), `${x(4_095)}…`, 'end'];
    for (const places of [[], [5_000], [10_000], [4_096, 8_192], 'everywhere'] as const) {
      expect(linesOf(cut(stream, places))).toEqual(expected);
    }
  });

  test('comes before it ends', () => {
    const lines: string[] = [];
    new LineSplitter((line) => lines.push(line)).push(Buffer.from(x(5_000)));
    expect(lines).toEqual([`${x(4_095)}…`]);
  });
});
