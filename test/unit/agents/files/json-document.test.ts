import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainValue, readJsonDocument } from '../../../../src/agents/files/json-document.ts';

const parseJsonc = (text: string): unknown => plainValue(readJsonDocument(text));

test.each([
  ['comments', '{ // one\n "a": 1, /* two, */ "b": [2 /* } */] }', { a: 1, b: [2] }],
  ['commas after last items', '{ "a": [1, 2, ], "b": { "c": 3, // last\n }, }', { a: [1, 2], b: { c: 3 } }],
  [
    'what looks like one inside a text',
    '{ "a": "// no, /* no */ ,}", "b": "\\",]", }',
    { a: '// no, /* no */ ,}', b: '",]' },
  ],
  ['a byte order mark', '\uFEFF{}', {}],
])('%s', (_what, text, value) => {
  expect(parseJsonc(text)).toEqual(value);
});

test.each([['{ "a": 1'], ['{ "a": /* 1 }'], ['{ "a" 1 }'], ['[1,,2]'], ['']])('%s is none', (text) => {
  expect(() => parseJsonc(text)).toThrow(SyntaxError);
});

test('all that is JSON means the same, with a comment before it, too', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJsonc(text)).toEqual(JSON.parse(text));
      expect(parseJsonc(`// ,}\n${text}`)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['blanks', ' '.repeat(1_000_000), 1],
  ['comments', '//\n/**/'.repeat(500_000), 1],
  ['a text', `"${'x'.repeat(1_000_000)}"`, undefined],
  ['escapes', `"${'\\n'.repeat(500_000)}"`, undefined],
])('very many characters of one kind are read: %s', (_kind, text, follows) => {
  const node = readJsonDocument(follows === undefined ? text : `${text}${follows}`);
  expect(plainValue(node)).toEqual(follows ?? JSON.parse(text));
});
