import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Frame } from '../../../src/wire/frame.ts';
import { JsonTextError } from '../../../src/wire/json-error.ts';
import {
  elementsOf,
  isRepeated,
  lastMember,
  membersOf,
  outlineOf,
  rawText,
  stringAt,
  typeOfByte,
  valueAt,
} from '../../../src/wire/lens.ts';
import { MAX_PARTS } from '../../../src/wire/scanning/limits.ts';
import { jsonTexts, nearlyJson } from './arbitraries.ts';

/** A text in the middle of others, and its span there. */
function placed(before: Buffer, text: Buffer, after: Buffer) {
  return {
    whole: Buffer.concat([before, text, after]),
    span: { start: before.length, end: before.length + text.length },
  };
}

const objects = jsonTexts.filter((text) => text.trimStart().startsWith('{'));

describe('spans', () => {
  test('are counted from the start of the text, wherever in it the value stands', () => {
    fc.assert(
      fc.property(nearlyJson, jsonTexts, nearlyJson, (before, json, after) => {
        const text = Buffer.from(json);
        const { whole, span } = placed(before, text, after);
        const [here, alone] = [outlineOf(whole, span), outlineOf(text)];
        expect(rawText(whole, here)).toBe(rawText(text, alone));
        expect(here.members.map((member) => rawText(whole, member))).toEqual(
          alone.members.map((member) => rawText(text, member)),
        );
        for (const { keyStart, keyEnd, key } of here.members) {
          if (keyStart < keyEnd) expect(valueAt(whole, { start: keyStart, end: keyEnd })).toBe(key);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of members and elements only where there is an object or an array', () => {
    const text = Buffer.from(' {"a":[1, 2]} ');
    const [a] = membersOf(text);
    expect(elementsOf(text, a!, 9).map((element) => valueAt(text, element))).toEqual([1, 2]);
    expect(() => elementsOf(text, outlineOf(text), 9)).toThrow(new JsonTextError('expected an array', 1));
    expect(() => membersOf(text, a)).toThrow(new JsonTextError('expected an object', 6));
    expect(elementsOf(text, a!, 1)).toEqual([expect.objectContaining({ start: 7, end: 8 })]);
    expect(() => membersOf(Buffer.from('{} x'))).toThrow(JsonTextError);
    expect(() => membersOf(Buffer.from('"x"'))).toThrow(JsonTextError);
  });
});

describe('members of one key', () => {
  test('count as JSON.parse counts them: the last', () => {
    fc.assert(
      fc.property(objects, (json) => {
        const text = Buffer.from(json);
        const members = membersOf(text);
        const keys = members.map(({ key }) => key);
        const parsed = JSON.parse(json) as Record<string, unknown>;
        for (const key of Object.keys(parsed)) {
          expect(valueAt(text, lastMember(members, key)!)).toEqual(Object.getOwnPropertyDescriptor(parsed, key)!.value);
          expect(isRepeated(members, key)).toBe(keys.filter((other) => other === key).length > 1);
        }
        expect(new Set(keys)).toEqual(new Set(Object.keys(parsed)));
      }),
      { numRuns: 500 },
    );
  });

  test('are one key however it is escaped, and another in other case', () => {
    const members = membersOf(Buffer.from('{"id":1,"\\u0069d":2,"ID":3,"i d":4}'));
    expect(isRepeated(members, 'id')).toBe(true);
    expect(isRepeated(members, 'ID')).toBe(false);
    expect(lastMember(members, 'id')).toBe(members[1]);
    expect(lastMember(members, 'Id')).toBeUndefined();
  });
});

describe('values', () => {
  test('have the type that their first byte says', () => {
    const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
    fc.assert(
      fc.property(jsonTexts, (json) => {
        const text = Buffer.from(json);
        expect(typeOfByte(text[outlineOf(text).start])).toBe(typeOf(JSON.parse(json)));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a string', '"a\\u00e9\\n"', 'aé\n'],
    ['an empty string', '""', ''],
    ['a number', '1', undefined],
    ['null', 'null', undefined],
    ['an array', '["a"]', undefined],
  ])('stringAt gives strings and nothing else: %s', (_name, json, value) => {
    const text = Buffer.from(`[${json}]`);
    expect(stringAt(text, elementsOf(text, outlineOf(text), 9)[0])).toBe(value);
    expect(stringAt(text, undefined)).toBeUndefined();
  });

  test('a long string with a bad escape is no string: a scan lets it pass, so readers must not fall over it', () => {
    const text = Buffer.from(`["${'x'.repeat(5_000)}\\x"]`);
    expect(stringAt(text, elementsOf(text, outlineOf(text), 9)[0])).toBeUndefined();
  });

  test('what JSON.parse refuses is a JsonTextError where the span begins', () => {
    const text = Buffer.from(`[1,"${'x'.repeat(5_000)}\\x"]`);
    expect(() => valueAt(text, elementsOf(text, outlineOf(text), 9)[1])).toThrow(
      expect.objectContaining({ name: 'JsonTextError', offset: 3 }),
    );
  });

  test('invalid UTF-8 is read as U+FFFD', () => {
    const text = Buffer.from([0x22, 0x61, 0xff, 0x62, 0x22]);
    expect(stringAt(text, outlineOf(text))).toBe('a\ufffdb');
  });
});

test('of a list the first elements are given, however many members they have', () => {
  const text = Buffer.from('[{"a":1,"b":2,"c":3},{"d":4},5]');
  expect(elementsOf(text, { start: 0, end: text.length }, 1).map((span) => rawText(text, span))).toEqual([
    '{"a":1,"b":2,"c":3}',
  ]);
});

test('a part may have very many members further inside', () => {
  const wide = `{"a":{${'"":0,'.repeat(MAX_PARTS)}"b":1}}`;
  const text = Buffer.from(`[${wide}]`);
  const span = { start: 1, end: text.length - 1 };
  expect(membersOf(text, span)).toHaveLength(1);
  expect(Frame.of(text).membersOf(span)).toHaveLength(1);
});
