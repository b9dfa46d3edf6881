import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryKind } from '../../../../../src/core/providers/provider.ts';
import { cleanEntry } from '../../../../../src/upstream/lists/entries/clean-entry.ts';

const HIDDEN = '\u200b\u{e0041}\u001b[0m';

function clean(kind: EntryKind, value: unknown) {
  const { text, isSuspicious } = cleanEntry(kind, Buffer.from(JSON.stringify(value)));
  return { value: JSON.parse(text.toString()) as unknown, isSuspicious };
}

/** A schema whose texts all end with `mark`, and whose values never do. */
const schemas = fc.letrec<{ schema: (mark: string) => object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constant((mark: string) => ({ type: 'string', description: `d${mark}`, enum: ['e'], default: 'x' })),
    fc
      .tuple(fc.constantFrom('title', 'description', '$comment', 'x-note'), tie('schema'))
      .map(([key, inner]) => (mark: string) => ({ [key]: `t${mark}`, items: inner(mark), anyOf: [inner(mark), true] })),
    fc
      .tuple(
        fc.constantFrom('properties', '$defs', 'definitions'),
        fc.constantFrom('title', 'enum', 'a'),
        tie('schema'),
      )
      .map(([keyword, name, inner]) => (mark: string) => ({
        type: 'object',
        [keyword]: { [name]: inner(mark) },
        required: [name],
      })),
    tie('schema').map((inner) => (mark: string) => ({
      dependencies: { a: ['b'], c: inner(mark) },
      'x-labels': [`l${mark}`, { title: `t${mark}` }],
    })),
  ),
}));

describe('a tool', () => {
  test('loses hidden characters in all texts of its schemas and in nothing else', () => {
    fc.assert(
      fc.property(schemas.schema, (make) => {
        const tool = (mark: string) => ({
          name: 't',
          description: `d${mark}`,
          inputSchema: make(mark),
          x: `x${HIDDEN}`,
        });
        expect(clean('tool', tool(HIDDEN))).toEqual({ value: tool(''), isSuspicious: false });
      }),
      { numRuns: 300 },
    );
  });

  test('keeps what it gets back byte for byte, and is called suspicious', () => {
    const schema = (text: string) =>
      `{"type":"object","properties":{"a\u200b":{"enum":["\\u202e"],"default":"\u200b","pattern":"[\u200b]","description":"${text}"}}}`;
    const json = (text: string) => `{ "name" : "t\\u200b","inputSchema":${schema(text)},"description" : "${text}" }`;
    const { text, isSuspicious } = cleanEntry('tool', Buffer.from(json('p\u200b')));
    expect(text.toString()).toBe(json('p'));
    expect(isSuspicious).toBe(true);
  });

  test.each([
    ['{"name":"t\u200b","inputSchema":{}}'],
    ['{"name":"t","inputSchema":{"properties":{"\\udb40\\udc41":{}}}}'],
    ['{"name":"t","inputSchema":{"examples":[{"k":["\u202e"]}]}}'],
    ['{"name":"t","inputSchema":{"dependencies":{"a":["\u200b"]}}}'],
    ['{"name":"t","outputSchema":{"items":{"const":"\\u001b[0m"}}}'],
  ])('is suspicious, and the very text that was given: %j', (json) => {
    const given = Buffer.from(json);
    const found = cleanEntry('tool', given);
    expect(found.text).toBe(given);
    expect(found.isSuspicious).toBe(true);
  });

  test.each([
    '{"name":"t","description":"quotes “ ” – \\"x\\" \\\\u200b \\n 👨‍👩‍👧 \\ud83d\\ude00"}',
    '{"name":"t","_meta":{"k":"\u200b"},"icons":[{"src":"\u200b"}],"inputSchema":{"default":"a\\r\\nb"}}',
    '{ "name" : "\\u0061" }',
  ])('without any is the very text that was given: %s', (json) => {
    const given = Buffer.from(json);
    expect(cleanEntry('tool', given)).toEqual({ text: given, isSuspicious: false });
    expect(cleanEntry('tool', given).text).toBe(given);
  });

  test('bytes that are no UTF-8 become U+FFFD where people read them', () => {
    const bytes = (text: string) => Buffer.from(`{"name":"t","description":"${text}"}`, 'latin1');
    expect(cleanEntry('tool', bytes('a\xed\xa0\x80b')).text.toString()).toMatch(/"a\ufffd+b"/);
  });

  test('title of annotations', () => {
    expect(clean('tool', { name: 't', annotations: { title: `T${HIDDEN}`, readOnlyHint: true } }).value).toEqual({
      name: 't',
      annotations: { title: 'T', readOnlyHint: true },
    });
  });
});

test.each([
  [
    'prompt',
    { name: 'p', title: 'T*', description: 'D*', arguments: [{ name: 'a', description: 'A*', title: 'B*' }] },
    false,
  ],
  ['prompt', { name: 'p', arguments: [{ name: 'a\u200b', description: 'A*' }] }, true],
  ['resource', { uri: 'a:b', name: 'N*', title: 'T*', description: 'D*' }, false],
  ['resource', { uri: 'a:b\u200b', name: 'N*' }, true],
  ['template', { uriTemplate: 'a:{b}', name: 'N*', description: 'D*' }, false],
] as const)('a %s %j', (kind, value, isSuspicious) => {
  const withMark = (mark: string) => JSON.parse(JSON.stringify(value).replaceAll('*', mark)) as unknown;
  const given = JSON.parse(
    JSON.stringify(withMark('*')).replaceAll('*', JSON.stringify(HIDDEN).slice(1, -1)),
  ) as unknown;
  expect(clean(kind, given)).toEqual({ value: withMark(''), isSuspicious });
});
