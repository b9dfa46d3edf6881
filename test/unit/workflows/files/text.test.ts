import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editText } from '../../../../src/workflows/files/text/edit-text.ts';
import { decodeFile, encodeFile, TEXT_ENCODINGS } from '../../../../src/workflows/files/text/encoding.ts';
import { typeOfBinary } from '../../../../src/workflows/files/text/media-type.ts';
import { nearestLines } from '../../../../src/workflows/files/text/nearest-lines.ts';
import { CHARACTER_ROOM, textPart } from '../../../../src/workflows/files/text/read-part.ts';

const encoding = fc.constantFrom(...TEXT_ENCODINGS);
const anyText = fc
  .string({ unit: 'binary' })
  .filter((text) => text.isWellFormed() && !text.includes('\0') && !text.startsWith('\ufeff'));

describe('the text of a file', () => {
  test('is the same after it was written and read again, in every encoding', () => {
    fc.assert(
      fc.property(anyText, encoding, (text, name) => {
        expect(decodeFile(encodeFile({ text, encoding: name }))).toEqual({ text, encoding: name });
      }),
    );
  });

  test('is given only where writing it gives the same bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.uint8Array({ maxLength: 40 }).map((tail) => new Uint8Array([0xff, 0xfe, ...tail])),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        const read = decodeFile(Buffer.from(given));
        if (read !== undefined) expect(encodeFile(read)).toEqual(Buffer.from(given));
      }),
    );
  });
});

test('the parts of a text are together the text, and none is half a character', () => {
  fc.assert(
    fc.property(anyText, encoding, fc.integer({ min: 1, max: 9 }), (text, name, limit) => {
      const file = encodeFile({ text, encoding: name });
      let whole = '';
      for (let offset = 0; offset < file.length; ) {
        const bytes = file.subarray(offset, offset + limit + CHARACTER_ROOM);
        const part = textPart(bytes, { offset, limit, encoding: name })!;
        expect(part.text.isWellFormed()).toBe(true);
        expect(part.to).toBeGreaterThan(offset);
        whole += part.text;
        offset = part.to;
      }
      expect(whole).toBe(text);
    }),
  );
});

test.each([
  ['the first only', 'a b a', 'a', 'x', false, 'x b a', 1],
  ['all', 'a b a', 'a', 'x', true, 'x b x', 2],
  ['no part of what was put in', 'aa', 'a', 'aa', true, 'aaaa', 2],
  ['patterns mean nothing', 'a.c abc', 'a.c', '$&', true, '$& abc', 1],
  ['nothing, where it is not there', 'abc', 'x', 'y', true, 'abc', 0],
  ['lines with CRLF, by LF', '1\r\n2\r\n3\r\n', '1\n2\n', 'a\nb\n', false, 'a\r\nb\r\n3\r\n', 1],
  ['a line in a file with CRLF', '1\r\n2\r\n', '2', 'a\nb', false, '1\r\na\r\nb\r\n', 1],
  ['CRLF by CRLF', '1\r\n2\r\n', '1\r\n2', 'x\r\ny', false, 'x\r\ny\r\n', 1],
  ['LF that stands among CRLF', '1\n2\r\n3\r\n', '1\n2', 'x\ny', false, 'x\ny\r\n3\r\n', 1],
])('an edit replaces %s', (_case, text, oldString, newString, all, expected, replacements) => {
  expect(editText(text, { oldString, newString, all })).toEqual({ text: expected, replacements });
});

test('the nearest lines are shown with their numbers, the most similar first', () => {
  const text = 'one\nfunction add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n    return a - b;\n}\n';
  const [best, second] = nearestLines(text, 'function sub(a, b) {\n  return a - c;\n}');
  expect(best).toBe('6| function sub(a, b) {\n7|     return a - b;\n8| }');
  expect(second).toContain('2| function add');
  expect(nearestLines(text, 'nothing like it at all: 123456')).toEqual([]);
});

test('the nearest lines of a long text are found for many lines as well, and nobody waits for that', () => {
  const lineOf = (index: number) => `  const v${(index * 7_919) % 100_003} = compute(${(index * 104_729) % 99_991});`;
  const text = Array.from({ length: 20_000 }, (_, index) => lineOf(index)).join('\n');
  const wanted = Array.from({ length: 5_000 }, (_, index) => `${lineOf(index + 12_000)}!`).join('\n');
  expect(nearestLines(text, wanted)[0]).toContain('12001| ');
});

test('a binary file is known by how it begins, else by its name', () => {
  expect(typeOfBinary('x', Buffer.from('89504e470d0a1a0a00', 'hex'))).toBe('image/png');
  expect(typeOfBinary('x.webp', Buffer.from('524946460000000057454250', 'hex'))).toBe('image/webp');
  expect(typeOfBinary('x.ico', Buffer.from([0, 0, 1]))).toBe('image/x-icon');
  expect(typeOfBinary('x', Buffer.from([0]))).toBe('application/octet-stream');
});

test('a text that is made to be searched for long is searched through once', () => {
  // The search of the runtime takes minutes for it.
  const half = 'a'.repeat(500_000);
  const text = `${'a'.repeat(4_000_000)}b`;
  const edit = { oldString: `${half}b${half}`, newString: '', all: true };
  expect(editText(text, edit).replacements).toBe(0);
});

test('a text that would become too long stays as it is', () => {
  const edited = editText('a'.repeat(1_000), { oldString: 'a', newString: 'b'.repeat(100_000), all: true });
  expect(edited).toEqual({ text: 'a'.repeat(1_000), replacements: 1_000, excess: 100_000_000 });
});
