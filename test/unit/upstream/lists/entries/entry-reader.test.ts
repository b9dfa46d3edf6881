import { PromptSchema, ResourceSchema, ResourceTemplateSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryKind } from '../../../../../src/core/providers/provider.ts';
import {
  type EntryTransform,
  isDescriptor,
  readEntry,
} from '../../../../../src/upstream/lists/entries/entry-reader.ts';
import { edit } from '../../../../../src/wire/edits/call-text.ts';
import { lastMember, valueAt } from '../../../../../src/wire/lens.ts';
import { jsonTexts } from '../../../wire/arbitraries.ts';

/** Reads an entry that stands in the middle of a list. */
function read(kind: EntryKind, json: string, transform?: EntryTransform) {
  const before = '{"tools":[{"name":"before"},';
  const list = Buffer.from(`${before}${json},{"name":"after"}]}`);
  const start = Buffer.byteLength(before);
  return readEntry(kind, list, { start, end: start + Buffer.byteLength(json) }, { transform });
}

/** Each kind with the member that names an entry, and what it needs beside it. */
const KINDS = [
  ['tool', 'name', ',"inputSchema":{"type":"object"}'],
  ['prompt', 'name', ''],
  ['resource', 'uri', ',"name":"r"'],
  ['template', 'uriTemplate', ',"name":"t"'],
] as const;

describe('a sound entry', () => {
  test.each(KINDS)('of kind %s is kept byte for byte, with the place of its %s', (kind, member, more) => {
    fc.assert(
      fc.property(
        jsonTexts,
        jsonTexts,
        fc.constantFrom('"a"', '"\\u0061é\\n"', '"__proto__"'),
        (before, after, token) => {
          const json = `{ "x": ${before} , "${member}" : ${token}${more},"y":${after} }`;
          const found = read(kind, json);
          if (!isDescriptor(found)) throw new Error(found.reason);
          const text = Buffer.from(found.text, 'latin1');
          expect(text.toString()).toBe(json);
          expect(found).toMatchObject({ kind, ownName: JSON.parse(token) as string });
          expect(text.toString('utf8', found.nameSpan.start, found.nameSpan.end)).toBe(token);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('has a fingerprint of what it means, not of how it is written', () => {
    const fingerprint = (json: string) => {
      const found = read('tool', json);
      return isDescriptor(found) ? found.fingerprint : found.reason;
    };
    const one = fingerprint('{"name":"t","inputSchema":{"type":"object"},"description":"é"}');
    expect(fingerprint('{ "description":"\\u00e9","inputSchema":{"type":"object"}, "name":"t" }')).toBe(one);
    expect(fingerprint('{"name":"t","inputSchema":{"type":"object"},"description":"e"}')).not.toBe(one);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  test('of two names has the last, as JSON.parse has it', () => {
    const found = read('prompt', '{"name":"first","name":"last"}');
    expect(found).toMatchObject({ ownName: 'last', nameSpan: { start: 23, end: 29 } });
  });

  test('does not hold on to the list that it came in', () => {
    const found = read('prompt', '{"name":"p"}');
    expect(found).toMatchObject({ text: '{"name":"p"}', nameSpan: { start: 8, end: 11 } });
  });
});

describe('an entry that cannot be offered is skipped with its reason', () => {
  test.each([
    ['tool', 'null', '(no name)', 'the entry is not an object'],
    ['tool', '"t"', '(no name)', 'the entry is not an object'],
    ['prompt', '[]', '(no name)', 'the entry is not an object'],
    ['tool', '{}', '(no name)', '"name" is missing or not a string'],
    ['tool', '{"name":1}', '(no name)', '"name" is missing or not a string'],
    ['tool', '{"name":""}', '(no name)', '"name" is missing or not a string'],
    ['prompt', '{"Name":"p"}', '(no name)', '"name" is missing or not a string'],
    ['resource', '{"name":"r"}', '(no name)', '"uri" is missing or not a string'],
    ['template', '{"uri":"r:x"}', '(no name)', '"uriTemplate" is missing or not a string'],
    ['tool', '{"name":"t","inputSchema":1}', 't', 'inputSchema is not an object'],
    ['tool', '{"name":"é","inputSchema":{"type":"string"}}', 'é', 'inputSchema is not of type "object"'],
  ] as const)('%s %s', (kind, json, name, reason) => {
    expect(read(kind, json)).toEqual({ kind, name, reason });
  });

  test.each([
    ['in its name', (bad: string) => `{"name":"${bad}"}`],
    ['in its description', (bad: string) => `{"name":"t","description":"${bad}"}`],
    ['in a key', (bad: string) => `{"name":"t","x":{"${bad}":1}}`],
    ['in "required"', (bad: string) => `{"name":"t","inputSchema":{"type":"object","required":["${bad}"]}}`],
    ['in the type', (bad: string) => `{"name":"t","inputSchema":{"type":"${bad}"}}`],
  ])('a long string with a bad escape %s costs this entry, not the list', (_name, write) => {
    const found = read('tool', write(`${'x'.repeat(5_000)}\\x`));
    expect(isDescriptor(found)).toBe(false);
  });
});

describe('a tool', () => {
  test('is mended, then changed as asked; the place of its name moves along', () => {
    const transform: EntryTransform = (ownName, text, members) => {
      expect([ownName, valueAt(text)]).toEqual(['t', { a: 1, name: 't', inputSchema: { type: 'object' } }]);
      return [edit(lastMember(members, 'a')!, '"longer"')];
    };
    const found = read('tool', '{"a":1,"description":null,"name":"t"}', transform);
    expect(found).toMatchObject({ text: '{"a":"longer","name":"t","inputSchema":{"type":"object"}}' });
    if (isDescriptor(found)) expect(found.text.slice(found.nameSpan.start, found.nameSpan.end)).toBe('"t"');
  });

  test('that is changed in nothing keeps its bytes', () => {
    const json = '{ "name" : "t" , "inputSchema" : {"type":"object"} }';
    expect(read('tool', json, () => [])).toMatchObject({ text: json });
  });
});

/** One entry that official clients refuse costs their user the whole list. */
describe('official clients', () => {
  const official = { prompt: PromptSchema, resource: ResourceSchema, template: ResourceTemplateSchema };

  test.each([
    ['prompt', '{"name":"p","description":null,"x":1.0}', { name: 'p', x: 1 }],
    ['prompt', '{"name":"p","arguments":null}', { name: 'p' }],
    ['prompt', '{"name":"p","arguments":[{"name":"a","required":"yes"}],"title":null}', { name: 'p' }],
    ['resource', '{"uri":"a:b","name":"n","mimeType":null,"size":null}', { uri: 'a:b', name: 'n' }],
    ['resource', '{"uri":"a:b","name":"n","annotations":{"priority":2}}', { uri: 'a:b', name: 'n' }],
    ['resource', '{"uri":"a:b"}', { uri: 'a:b', name: 'a:b' }],
    ['resource', '{"uri":"a:b","name":5}', { uri: 'a:b', name: 'a:b' }],
    [
      'template',
      '{"uriTemplate":"a:{b}","name":"n","description":null,"icons":{}}',
      { uriTemplate: 'a:{b}', name: 'n' },
    ],
  ] as const)('accept a mended %s: %s', (kind, json, expected) => {
    const found = read(kind, json);
    const entry: unknown = isDescriptor(found) ? JSON.parse(found.text) : found;
    expect(official[kind].safeParse(entry).error?.issues).toBeUndefined();
    expect(entry).toMatchObject(expected);
  });

  test.each([
    ['resource', '{"uri":"a:b","name":"n","annotations":{"priority":0,"lastModified":"2025-01-12T15:00:58+02:00"}}'],
    ['resource', '{"uri":"a:b","name":"n","annotations":{"audience":["user"],"x":1},"size":1.5,"mimeType":""}'],
    [
      'prompt',
      '{"name":"p","arguments":[ {"name":"a","required":true,"x":null} ],"icons":[{"src":"x","sizes":["1x1"]}]}',
    ],
    ['template', '{"uriTemplate":"a:{b}", "name":"n", "annotations":{"priority":1}}'],
  ] as const)('accept it as it is, so nothing in it is touched: %s %s', (kind, json) => {
    expect(official[kind].safeParse(JSON.parse(json)).success).toBe(true);
    expect(read(kind, json)).toMatchObject({ text: json });
  });
});
