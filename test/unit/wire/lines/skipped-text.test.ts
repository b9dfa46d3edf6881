import { describe, expect, test } from 'vitest';
import { Remains } from '../../../../src/wire/lines/remains.ts';
import { SkippedText } from '../../../../src/wire/lines/skipped-text.ts';

const skipped = (isLineBegun = false) => new SkippedText('too-large', new Remains(), isLineBegun);
const read = (text: SkippedText, line: string) => text.read(Buffer.from(line), 0, line.length);

describe('a text that is not kept', () => {
  test('goes on with indented and empty lines, and refuses others', () => {
    const text = skipped();
    expect(['  "a": 1\n', '\t\n', '\n'].map((line) => read(text, line))).toEqual(['open', 'open', 'open']);
    expect(read(text, '{"jsonrpc":"2.0"}\n')).toBe('refused');
  });

  test('is over with the line of the bracket at the margin, however that is cut', () => {
    for (const bracket of ['}', ']']) {
      const text = skipped();
      expect([bracket, ' ', '\n'].map((part) => read(text, part))).toEqual(['open', 'open', 'over']);
    }
  });

  test('may be given up in the middle of a line, whose rest is no line of its own', () => {
    const text = skipped(true);
    expect(read(text, 'rest}\n')).toBe('open');
    expect(read(text, 'x\n')).toBe('refused');
  });

  test('is reported with the bytes that were added', () => {
    const text = skipped();
    text.add(Buffer.from('  1,\n'));
    expect(text.lostLine(true)).toMatchObject({ reason: 'too-large', bytes: 5, isCutOff: true });
  });
});
