import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJson, partsOfJson, prettyJsonText } from '../../../../src/core/json/json-text.ts';

const NUMBERS = '[12345678901234567890, -0, 1.0, 1e400, 0.1234567890123456789, 1E+2]';

test('is laid out as JSON.stringify does it, whatever spaces were in it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      const value: unknown = JSON.parse(json);
      const spaced = JSON.stringify(value, null, space);
      expect(prettyJsonText(spaced)).toBe(JSON.stringify(value, null, 2));
      expect(compactJson(spaced)).toBe(JSON.stringify(value));
    }),
  );
});

test('has its parts in their order', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      const parts = partsOfJson(JSON.stringify(value, null, 1));
      const expected = Array.isArray(value)
        ? value.map((item) => [undefined, JSON.stringify(item)])
        : Object.entries(value).map(([key, item]) => [key, JSON.stringify(item)]);
      expect(parts.map(({ key, text }) => [key, text])).toEqual(expected);
    }),
  );
});

test('keeps numbers as they are written', () => {
  expect(compactJson(NUMBERS)).toBe('[12345678901234567890,-0,1.0,1e400,0.1234567890123456789,1E+2]');
  expect(prettyJsonText('{"a":1.0}')).toBe('{\n  "a": 1.0\n}');
  expect(partsOfJson(NUMBERS).map(({ text }) => text)).toEqual(
    JSON.parse(`["${NUMBERS.slice(1, -1).replaceAll(', ', '","')}"]`),
  );
});

test('keeps a key that occurs twice, and strings that look like anything', () => {
  const json = String.raw`{"a":1,"a":{"b":"} , \" ]"},"\u0061":[]}`;
  expect(compactJson(json)).toBe(json);
  expect(partsOfJson(json)).toEqual([
    { key: 'a', text: '1' },
    { key: 'a', text: String.raw`{"b":"} , \" ]"}` },
    { key: 'a', text: '[]' },
  ]);
});

test.each(['1', '"{}"', 'null'])('%s has no parts', (json) => {
  expect(partsOfJson(json)).toEqual([]);
});
