import { expect, test } from 'vitest';
import type { Descriptor, Era } from '../../../../../src/core/providers/provider.ts';
import { readEntry, withoutOutputSchema } from '../../../../../src/upstream/lists/entries/entry-reader.ts';

const read = (json: string, era: Era) =>
  readEntry('tool', Buffer.from(json), { start: 0, end: Buffer.byteLength(json) }, { era }) as Descriptor;
const tool = (more: string) =>
  `{"execution":{"taskSupport":"optional"},"name":"t","inputSchema":{"type":"object"}${more}}`;
const plain = (more: string) => `{"name":"t","inputSchema":{"type":"object"}${more}}`;

test.each([
  ['{"type":"array"}', plain('')],
  ['{"type":["object","null"]}', plain('')],
  ['{"anyOf":[]}', plain('')],
  ['{"type":"object","required":1}', plain(',"outputSchema":{"type":"object"}')],
  ['{"type":"object"}', undefined],
])("a modern server's tool with the output schema %s: legacy clients get %s", (schema, forLegacy) => {
  const entry = read(plain(`,"outputSchema":${schema}`), 'modern');
  expect(entry.text).toBe(plain(`,"outputSchema":${schema}`));
  expect([entry.forLegacy?.text, entry.forModern]).toEqual([forLegacy, undefined]);
});

test('an output schema that is no object would make modern clients refuse the list, too', () => {
  expect(read(plain(',"outputSchema":true'), 'modern').text).toBe(plain(''));
});

test('tasks are not offered across eras, and the name is found in either text', () => {
  const legacy = read(tool(''), 'legacy');
  expect([legacy.text, legacy.forModern?.text, legacy.forLegacy]).toEqual([tool(''), plain(''), undefined]);
  const { text, nameSpan } = legacy.forModern!;
  expect(text.slice(nameSpan.start, nameSpan.end)).toBe('"t"');
  const modern = read(tool(''), 'modern');
  expect([modern.text, modern.forLegacy?.text, modern.forModern]).toEqual([tool(''), plain(''), undefined]);
});

test('a tool that is offered without its output schema has none in any era', () => {
  const entry = withoutOutputSchema(read(tool(',"outputSchema":{"type":"object"}'), 'legacy'));
  expect([entry.text, entry.forModern?.text]).toEqual([tool(''), plain('')]);
  const { text, nameSpan } = entry.forModern!;
  expect(text.slice(nameSpan.start, nameSpan.end)).toBe('"t"');
});
