import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Frame } from '../../../src/wire/frame.ts';
import { rawText } from '../../../src/wire/lens.ts';
import { type Message, paramsOf, type RequestMessage, readBatch, readMessage } from '../../../src/wire/message.ts';
import { nearlyJson } from './arbitraries.ts';

const read = (text: string): Message => readMessage(Frame.of(Buffer.from(text)));

/** What was read, with the text of each span. */
function facts(message: Message) {
  const { text } = message.frame;
  const at = (span: { start: number; end: number } | undefined) =>
    span === undefined ? undefined : rawText(text, span);
  switch (message.kind) {
    case 'request':
      return {
        kind: 'request',
        method: message.method,
        id: message.id,
        idAt: at(message.idSpan),
        params: at(message.params),
      };
    case 'notification':
      return { kind: 'notification', method: message.method, params: at(message.params) };
    case 'response': {
      const { id, wellFormed } = message;
      return {
        kind: 'response',
        id,
        ids: message.idSpans.map(at),
        result: at(message.result),
        error: at(message.error),
        wellFormed,
      };
    }
    case 'invalid':
      return { kind: 'invalid', reason: message.reason, id: message.id };
  }
}

describe('requests and notifications', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}', '1', 'a', '{"b":1}'],
    ['{"method":"a","id":"x"}', '"x"', 'a', undefined],
    [' { "id" : -0 , "method" : "a" , "params" : [ ] } ', '-0', 'a', '[ ]'],
    ['{"id":9007199254740993,"method":"a"}', '9007199254740993', 'a', undefined],
    ['{"i\\u0064":"\\u0061","m\\u0065thod":"tools\\/call"}', '"\\u0061"', 'tools/call', undefined],
    ['{"id":"","method":""}', '""', '', undefined],
    ['{"id":1,"method":"a","result":{}}', '1', 'a', undefined],
    ['{"id":1,"ID":2,"method":"a","Method":"b","__proto__":{}}', '1', 'a', undefined],
    ['{"id":1,"method":"a","extra":1,"extra":2}', '1', 'a', undefined],
  ])('%s is a request', (text, id, method, params) => {
    expect(facts(read(text))).toEqual({ kind: 'request', method, id, idAt: id, params });
  });

  test.each([
    ['{"jsonrpc":"2.0","method":"notifications/x"}', undefined],
    ['{"method":"notifications/x","params":null}', 'null'],
  ])('%s is a notification', (text, params) => {
    expect(facts(read(text))).toEqual({ kind: 'notification', method: 'notifications/x', params });
  });

  test('a method in other letters than ASCII is read as text', () => {
    expect(facts(read('{"id":1,"method":"größe/\\u00e9"}'))).toMatchObject({ method: 'größe/é' });
    expect(facts(read('{"id":1,"method":"größe"}'))).toMatchObject({ method: 'größe' });
  });
});

describe('responses', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":{}}', { ids: ['1'], result: '{}', error: undefined, wellFormed: true }],
    ['{"result":{},"id":"1","jsonrpc":"2.0"}', { ids: ['"1"'], result: '{}', error: undefined, wellFormed: true }],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
      { ids: ['1'], result: undefined, error: '{"code":1}', wellFormed: true },
    ],
    ['{"id":1,"result":{}}', { ids: ['1'], result: '{}', error: undefined, wellFormed: false }],
    ['{"jsonrpc":"1.0","id":1,"result":{}}', { ids: ['1'], result: '{}', error: undefined, wellFormed: false }],
    ['{"jsonrpc":2.0,"id":1,"result":{}}', { ids: ['1'], result: '{}', error: undefined, wellFormed: false }],
    [
      '{"jsonrpc":"2.0","id":1,"result":{},"error":null}',
      { ids: ['1'], result: '{}', error: undefined, wellFormed: false },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"result":null,"error":"x"}',
      { ids: ['1'], result: undefined, error: '"x"', wellFormed: false },
    ],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { ids: ['1'], result: undefined, error: undefined, wellFormed: true }],
    ['{"jsonrpc":"2.0","id":1,"result":1,"error":2}', { ids: ['1'], result: '1', error: '2', wellFormed: false }],
    [
      '{"jsonrpc":"2.0","id":1,"result":1,"result":{}}',
      { ids: ['1'], result: '{}', error: undefined, wellFormed: false },
    ],
    [
      '{"jsonrpc":"2.0","id":1,"\\u0069d":2,"result":{}}',
      { ids: ['1', '2'], result: '{}', error: undefined, wellFormed: true },
    ],
    ['{"id":null,"error":{}}', { ids: ['null'], result: undefined, error: '{}', wellFormed: false }],
    ['{"id":1}', { ids: ['1'], result: undefined, error: undefined, wellFormed: false }],
  ])('%s', (text, expected) => {
    expect(facts(read(text))).toEqual({ kind: 'response', id: expected.ids.at(-1), ...expected });
  });
});

describe('what is no message', () => {
  test.each([
    ['123', 'a message must be a JSON object', undefined],
    ['null', 'a message must be a JSON object', undefined],
    ['"x"', 'a message must be a JSON object', undefined],
    ['[]', 'a message must be a JSON object', undefined],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', 'a message must be a JSON object', undefined],
    ['{}', 'neither "method" nor "id" is there', undefined],
    ['{"jsonrpc":"2.0","result":{}}', 'neither "method" nor "id" is there', undefined],
    ['{"Id":1,"Method":"a"}', 'neither "method" nor "id" is there', undefined],
    ['{"id":1,"method":null}', '"method" must be a string', '1'],
    ['{"id":1,"method":["a"]}', '"method" must be a string', '1'],
    ['{"method":1}', '"method" must be a string', undefined],
    ['{"id":null,"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":1.5,"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":1e3,"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":[1],"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":{},"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":true,"method":"a"}', '"id" must be a string or an integer', undefined],
    ['{"id":1,"id":2,"method":"a"}', 'the member "id" occurs twice', '2'],
    ['{"id":1,"\\u0069d":1,"method":"a"}', 'the member "id" occurs twice', '1'],
    ['{"id":1,"method":"a","method":"b"}', 'the member "method" occurs twice', '1'],
    ['{"id":1,"method":"a","params":{},"params":{}}', 'the member "params" occurs twice', '1'],
    ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"a"}', 'the member "jsonrpc" occurs twice', '1'],
    ['{"method":"a","params":{},"params":{}}', 'the member "params" occurs twice', undefined],
  ])('%s', (text, reason, id) => {
    expect(facts(read(text))).toEqual({ kind: 'invalid', reason, id });
  });
});

describe('whatever a peer sends', () => {
  test('readMessage and readBatch never throw', () => {
    const far = 'x'.repeat(5_000);
    const members = fc.constantFrom(
      '"jsonrpc":"2.0"',
      '"id":1',
      '"id":"a"',
      '"id":null',
      '"method":"a"',
      '"method":"\\u0061"',
      '"params":{}',
      `"method":"${far}\\x"`,
      `"method":"é\\n${far}\x01"`,
      `"id":"\\n${far}\\u1"`,
      `"params":{"${far}\\x":1}`,
      '"result":{}',
      '"error":null',
      '"\\u0069d":2',
      `"${far}\\x":1`,
      '"__proto__":1',
      '"id":{"a":[]}',
    );
    const messages = fc.array(members, { maxLength: 5 }).map((parts) => `{${parts.join(',')}}`);
    const lines = fc.oneof(
      messages.map((text) => Buffer.from(text)),
      fc.array(messages, { maxLength: 3 }).map((all) => Buffer.from(`[${all.join(',')}]`)),
      nearlyJson,
    );
    fc.assert(
      fc.property(lines, (line) => {
        let frame: Frame;
        try {
          frame = Frame.of(line);
        } catch (error) {
          expect(error).toHaveProperty('name', 'JsonTextError');
          return;
        }
        expect(['request', 'notification', 'response', 'invalid']).toContain(readMessage(frame).kind);
        readBatch(frame);
      }),
      { numRuns: 600 },
    );
  });
});

test('params that are no object have no members', () => {
  const members = (params: string) =>
    paramsOf(read(`{"id":1,"method":"a"${params}}`) as RequestMessage).map(({ key }) => key);
  expect(members(',"params":{"a":1,"b":2}')).toEqual(['a', 'b']);
  for (const params of ['', ',"params":null', ',"params":[{"a":1}]', ',"params":"{}"', ',"params":{ }']) {
    expect(members(params)).toEqual([]);
  }
});

describe('batches', () => {
  const kinds = (text: string) => readBatch(Frame.of(Buffer.from(text)))?.map(({ kind }) => kind);

  test.each([
    ['{"id":1,"method":"a"}', undefined],
    ['"x"', undefined],
    ['[]', []],
    [
      '[{"id":1,"method":"a"},{"method":"b"},{"id":1,"result":{}},1,[]]',
      ['request', 'notification', 'response', 'invalid', 'invalid'],
    ],
  ])('%s', (text, expected) => expect(kinds(text)).toEqual(expected));

  test('are read though one of their elements has too many parts to be kept', () => {
    expect(kinds(`[[${'1,'.repeat(100_000)}1],{"method":"b"}]`)).toEqual(['invalid', 'notification']);
  });

  test('give each message spans of its own', () => {
    const [, second] = readBatch(Frame.of(Buffer.from(' [1, {"id":"x","method":"a"} ]')))!;
    expect(facts(second!)).toMatchObject({ id: '"x"', idAt: '"x"' });
    expect(second!.frame.bytes()).toBe('{"id":"x","method":"a"}');
  });
});
