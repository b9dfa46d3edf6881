import { describe, expect, test } from 'vitest';
import { CHECKED_STRING_BYTES } from '../../../../src/wire/scanning/limits.ts';
import { endsLiteral, firstLiteralState, nextLiteralState } from '../../../../src/wire/scanning/literal-grammar.ts';
import { OpenContainers } from '../../../../src/wire/scanning/open-containers.ts';
import { OutlineRecorder } from '../../../../src/wire/scanning/outline-recorder.ts';
import { StringScanner } from '../../../../src/wire/scanning/string-scanner.ts';

/** Scans the parts one after the other. Returns what each scan returned. */
function scan(scanner: StringScanner, ...parts: readonly string[]): number[] {
  return parts.map((part) => scanner.scan(Buffer.from(part), 0, part.length, 0));
}

describe('a string', () => {
  test('ends behind its quote, wherever it is cut', () => {
    const scanner = new StringScanner();
    for (const parts of [['ab"c'], ['a', 'b"'], ['\\', '""'], ['\\u00', '4', '1"'], ['\\\\"'], ['\\n', '"']]) {
      scanner.begin();
      const found = scan(scanner, ...parts);
      expect(found.slice(0, -1).every((end) => end === -1)).toBe(true);
      expect(found.at(-1)).toBe(parts.at(-1)!.lastIndexOf('"') + 1);
    }
  });

  test('that did not end says nothing of the next one after a reset', () => {
    const scanner = new StringScanner();
    for (const unfinished of ['\\', '\\u1']) {
      scanner.begin();
      scan(scanner, unfinished);
      scanner.reset();
      scanner.begin();
      expect(scan(scanner, '"')).toEqual([1]);
    }
  });

  test('is searched for bad escapes as far as was asked', () => {
    const text = `${'x'.repeat(CHECKED_STRING_BYTES)}\\x"`;
    const scanner = new StringScanner();
    scanner.begin();
    expect(scan(scanner, text)).toEqual([text.length]);
    scanner.beginChecked();
    expect(() => scan(scanner, text)).toThrow('bad escape in a string at byte 4097');
  });

  test('has faults at offsets of the text', () => {
    const scanner = new StringScanner();
    scanner.begin();
    expect(() => scanner.scan(Buffer.from('a\u0001'), 0, 2, 100)).toThrow('control character in a string at byte 101');
    scanner.begin();
    expect(() => scanner.scan(Buffer.from('\\ug'), 0, 3, 100)).toThrow('bad \\u escape at byte 102');
  });
});

test.each(['true', 'false', 'null'])('%s is a literal, and ends with its last byte', (literal) => {
  let state = firstLiteralState(literal.charCodeAt(0))!;
  for (const character of literal.slice(1)) {
    expect(endsLiteral(state)).toBe(false);
    expect(nextLiteralState(state, character.charCodeAt(0) - 32)).toBeUndefined();
    state = nextLiteralState(state, character.charCodeAt(0))!;
  }
  expect(endsLiteral(state)).toBe(true);
});

test('open containers know the innermost one, and count the members of each object for itself', () => {
  const open = new OpenContainers(2, 2);
  open.open(1, 0);
  open.countMember(1);
  open.open(0, 2);
  expect([open.depth, open.isInObject]).toEqual([2, false]);
  expect(() => open.open(1, 3)).toThrow('nested deeper than 2 levels at byte 3');
  open.close();
  expect([open.depth, open.isInObject]).toEqual([1, true]);
  open.countMember(4);
  expect(() => open.countMember(5)).toThrow('an object with more than 2 members at byte 5');
  open.reset();
  expect(open.depth).toBe(0);
  open.open(1, 6);
  open.countMember(7);
});

test('an outline keeps a key that comes in pieces, and forgets the text before a reset', () => {
  const recorder = new OutlineRecorder(1);
  recorder.beginValue('object', 0);
  recorder.beginKey(1);
  recorder.keepKeyHead(Buffer.from('{"a\\u'), 2, 5);
  recorder.endKey(Buffer.from('0062":1}'), 0, 4, 5);
  recorder.beginPart(11);
  recorder.endPart(12);
  expect(recorder.members).toEqual([{ key: 'ab', keyStart: 1, keyEnd: 10, start: 11, end: 12 }]);
  expect(() => recorder.endPart(13)).toThrow('more than 1 members or elements at byte 13');
  recorder.noteLineBreak();
  recorder.reset();
  recorder.beginValue('array', 20);
  recorder.beginPart(21);
  recorder.endPart(22);
  recorder.endValue(23);
  expect(recorder.finish()).toEqual({
    kind: 'array',
    start: 20,
    end: 23,
    hasLineBreaks: false,
    members: [{ key: '', keyStart: 21, keyEnd: 21, start: 21, end: 22 }],
  });
});
