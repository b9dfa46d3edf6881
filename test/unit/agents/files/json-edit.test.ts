import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type JsonNode, plainValue, readJsonDocument } from '../../../../src/agents/files/json-document.ts';
import {
  appendItem,
  isEmptyDocument,
  removeItems,
  removeMember,
  setMember,
} from '../../../../src/agents/files/json-edit.ts';
import { FileEditError } from '../../../../src/agents/files/text-edits.ts';

const PATH = ['servers', 'viaduct'];
const ENTRY = { command: 'viaduct', args: ['stdio'] };

describe('a member that is set', () => {
  test('goes to the end of the object, in the way the file is written', () => {
    const text = '{\n\t"servers": {\n\t\t"other": {"command": "x"}\n\t}\n}\n';
    expect(setMember(text, PATH, ENTRY)).toBe(
      '{\n\t"servers": {\n\t\t"other": {"command": "x"},\n\t\t"viaduct": {\n\t\t\t"command": "viaduct",\n\t\t\t"args": [\n\t\t\t\t"stdio"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  test('leaves comments and last commas where they are', () => {
    const text = '// mine\n{\n  "a": 1, // one\n  /* two */ "b": [1, 2,], // three\n}\n';
    const next = setMember(text, PATH, ENTRY);
    expect(next).toContain('"b": [1, 2,], // three\n  "servers": {');
    expect(plainValue(readJsonDocument(next))).toEqual({ a: 1, b: [1, 2], servers: { viaduct: ENTRY } });
    expect(removeMember(next, PATH)).toBe(text);
  });

  test('keeps a comment with the member it belongs to', () => {
    const text = '{\n  "a": 1 // of a\n}\n';
    const next = setMember(text, ['b'], 2);
    expect(next).toBe('{\n  "a": 1, // of a\n  "b": 2\n}\n');
    expect(removeMember(next, ['b'])).toBe(text);
  });

  test('replaces the one of that name, and nothing else', () => {
    const text = '{ "servers": { "viaduct": { "command": "old" }, "z": 1 } }';
    expect(setMember(text, PATH, 5)).toBe('{ "servers": { "viaduct": 5, "z": 1 } }');
  });

  test('stays on the line of an object on one line', () => {
    expect(setMember('{"a":1}', ['b'], { c: 2 })).toBe('{"a":1, "b":{"c":2}}');
  });

  test('gets the line ends of the file', () => {
    expect(setMember('{\r\n  "a": 1\r\n}\r\n', ['b'], 2)).toBe('{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n');
  });

  test.each(['[]', '"text"', '{"a": 1', '{"a" 1}', '{"a": 1} 2', '{"a": 1 "b": 2}', '', '{"servers": []}', 'x'])(
    'is refused where it has no place: %s',
    (text) => {
      expect(() => setMember(text, PATH, ENTRY)).toThrow(FileEditError);
    },
  );

  test('says on which line the file is wrong, without quoting it', () => {
    expect(() => setMember('{\n  "token": secret\n}', PATH, ENTRY)).toThrow(
      'it is not JSON (line 2, column 12: this cannot stand here)',
    );
  });
});

const document = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== 'servers' && key !== '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
);

test('what is set can be read back, and what is removed leaves no trace', () => {
  fc.assert(
    fc.property(document, fc.constantFrom(0, 2, 4, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const next = setMember(text, PATH, ENTRY);
      expect(JSON.parse(next)).toEqual({ ...JSON.parse(text), servers: { viaduct: ENTRY } });
      expect(removeMember(next, PATH)).toBe(text);
      expect(setMember(next, PATH, ENTRY)).toBe(next);
    }),
  );
});

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 2), (text, indent) => {
      const value: unknown = JSON.parse(text);
      expect(plainValue(readJsonDocument(JSON.stringify(value, null, indent)))).toEqual(value);
    }),
  );
});

describe('items of a list', () => {
  test('come to its end, and go without the others', () => {
    const text = '{\n  "hooks": {\n    "Stop": [\n      { "a": 1 }\n    ]\n  }\n}\n';
    const next = appendItem(text, ['hooks', 'Stop'], { ours: true });
    expect(JSON.parse(next)).toEqual({ hooks: { Stop: [{ a: 1 }, { ours: true }] } });
    const isOurs = (node: Parameters<typeof plainValue>[0]) => Object.hasOwn(plainValue(node) as object, 'ours');
    expect(removeItems(next, ['hooks', 'Stop'], isOurs)).toBe(text);
  });

  test('take the list with them when they were all', () => {
    const next = appendItem('{}', ['hooks', 'Stop'], 1);
    expect(JSON.parse(next)).toEqual({ hooks: { Stop: [1] } });
    expect(removeItems(next, ['hooks', 'Stop'], () => true)).toBe('{}');
  });

  test('are not put into something else', () => {
    expect(() => appendItem('{"hooks": {"Stop": {}}}', ['hooks', 'Stop'], 1)).toThrow('"hooks.Stop" is not a list');
  });
});

test('a document with a comment is not empty', () => {
  expect(isEmptyDocument(' {\n} ')).toBe(true);
  expect(isEmptyDocument('{ /* mine */ }')).toBe(false);
});

describe('items that are chosen', () => {
  const isOdd = (node: { kind: string }) => Number(plainValue(node as JsonNode)) % 2 === 1;

  test.each([
    ['[1, 2, 3]', '[ 2]'],
    ['[2, 1, 1]', '[2]'],
    ['[1, 1, 2, 1, 1,]', '[ 2,]'],
    ['[\n  1,\n  // why\n  2,\n  3\n]', '[\n  // why\n  2\n]'],
    ['[0, 2]', '[0, 2]'],
  ])('leave %j as %j', (before, after) => {
    expect(removeItems(`{"a": ${before}}`, ['a'], isOdd)).toBe(`{"a": ${after}}`);
  });

  test('are all removed, and the rest can be read', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 })), fc.boolean(), (items, isInline) => {
        const text = JSON.stringify({ a: items, b: 1 }, null, isInline ? 0 : 2);
        const rest = plainValue(readJsonDocument(removeItems(text, ['a'], isOdd))) as { a?: number[] };
        expect(rest.a ?? []).toEqual(items.filter((item) => item % 2 === 0));
      }),
    );
  });

  test('are found in one reading of the file, however many there are', () => {
    const text = JSON.stringify({ a: Array.from({ length: 500 }, (_, index) => index) });
    const parsed = vi.spyOn(JSON, 'parse');
    removeItems(text, ['a'], isOdd);
    expect(parsed.mock.calls.length).toBeLessThan(2_000);
    parsed.mockRestore();
  });
});
