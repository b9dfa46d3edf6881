import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import {
  type CallText,
  findProgressToken,
  readCallText,
  sortedEdits,
  spliceCall,
} from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { JsonTextError } from '../../../../src/wire/json-error.ts';
import { rawText } from '../../../../src/wire/lens.ts';
import { paramsOf, type RequestMessage, readMessage } from '../../../../src/wire/message.ts';
import { jsonTexts, oneLine } from '../arbitraries.ts';

const request = (text: string) => readMessage(Frame.of(Buffer.from(text))) as RequestMessage;
const readText = (method: string, params: string) => readCallText(request(`{"id":1,"method":"${method}"${params}}`));

function facts(call: ReturnType<typeof readCallText>) {
  if ('problem' in call) return call.problem;
  const { text } = call.message.frame;
  const at = (span: { start: number; end: number } | undefined) =>
    span === undefined ? undefined : rawText(text, span);
  return { target: call.target, at: at(call.targetSpan), arguments: at(call.arguments), token: at(call.progressToken) };
}

describe('readCallText', () => {
  const none = { arguments: undefined, token: undefined };

  test.each([
    ['tools/call', '{"name":"a"}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"\\u0061é"}', { target: 'aé', at: '"\\u0061\xc3\xa9"', ...none }],
    [
      'tools/call',
      '{"arguments":{"name":"x"},"name":"a"}',
      { target: 'a', at: '"a"', arguments: '{"name":"x"}', token: undefined },
    ],
    ['tools/call', '{"name":"a","arguments":null}', { target: 'a', at: '"a"', arguments: 'null', token: undefined }],
    [
      'tools/call',
      '{"name":"a","_meta":{"progressToken":7}}',
      { target: 'a', at: '"a"', arguments: undefined, token: '7' },
    ],
    [
      'tools/call',
      '{"name":"a","_meta":{"progressToken":"t\\n"}}',
      { target: 'a', at: '"a"', arguments: undefined, token: '"t\\n"' },
    ],
    ['tools/call', '{"name":"a","_meta":{"progressToken":null}}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"a","_meta":{"progressToken":{"a":1}}}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"a","_meta":null}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"a","_meta":[{"progressToken":1}]}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"a","progressToken":1}', { target: 'a', at: '"a"', ...none }],
    ['tools/call', '{"name":"","uri":"x:y"}', { target: '', at: '""', ...none }],
    ['prompts/get', '{"name":"a","arguments":{}}', { target: 'a', at: '"a"', arguments: '{}', token: undefined }],
    ['resources/read', '{"uri":"file:///a","name":"b"}', { target: 'file:///a', at: '"file:///a"', ...none }],
    ['resources/subscribe', '{"uri":"a:b"}', { target: 'a:b', at: '"a:b"', ...none }],
    ['resources/unsubscribe', '{"uri":"a:b"}', { target: 'a:b', at: '"a:b"', ...none }],
    [
      'completion/complete',
      '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x"}}',
      { target: 'p', at: '"p"', ...none },
    ],
    [
      'completion/complete',
      '{"ref":{"type":"ref/resource","uri":"a:{b}"}}',
      { target: 'a:{b}', at: '"a:{b}"', ...none },
    ],
  ])('%s %s', (method, params, expected) => {
    expect(facts(readText(method, `,"params":${params}`))).toEqual(expected);
  });

  test.each([
    ['tools/call', '', '"params" is missing'],
    ['tools/call', ',"params":null', '"params" must be an object'],
    ['tools/call', ',"params":["a"]', '"params" must be an object'],
    ['tools/call', ',"params":"name"', '"params" must be an object'],
    ['tools/call', ',"params":{}', '"params.name" must be a string'],
    ['tools/call', ',"params":{"name":1}', '"params.name" must be a string'],
    ['tools/call', ',"params":{"name":null}', '"params.name" must be a string'],
    ['tools/call', ',"params":{"Name":"a"}', '"params.name" must be a string'],
    ['tools/call', ',"params":{"name":"a","name":"a"}', '"params.name" occurs twice'],
    ['tools/call', ',"params":{"name":"a","n\\u0061me":"b"}', '"params.name" occurs twice'],
    ['tools/call', ',"params":{"name":"a","arguments":{},"arguments":{}}', '"params.arguments" occurs twice'],
    ['tools/call', ',"params":{"name":"a","_meta":{},"_meta":{}}', '"params._meta" occurs twice'],
    ['prompts/get', ',"params":{"uri":"a"}', '"params.name" must be a string'],
    ['resources/read', ',"params":{"name":"a"}', '"params.uri" must be a string'],
    ['resources/read', ',"params":{"uri":"a","uri":"b"}', '"params.uri" occurs twice'],
    ['completion/complete', ',"params":{}', '"params.ref.name" or "params.ref.uri" must be a string'],
    ['completion/complete', ',"params":{"ref":"p"}', '"params.ref.name" or "params.ref.uri" must be a string'],
    ['completion/complete', ',"params":{"ref":{"name":1}}', '"params.ref.name" or "params.ref.uri" must be a string'],
    ['completion/complete', ',"params":{"ref":{"name":"a"},"ref":{"name":"b"}}', '"params.ref" occurs twice'],
  ])('%s%s: %s', (method, params, problem) => {
    expect(facts(readText(method, params))).toBe(problem);
  });

  test.each([
    [
      'tools/call',
      '{"name":"a","_meta":{"progressToken":1,"progressToken":2}}',
      '"params._meta.progressToken" occurs twice',
    ],
    ['completion/complete', '{"ref":{"name":"a","name":"b"}}', '"params.ref.name" occurs twice'],
    ['completion/complete', '{"ref":{"uri":"a:b","uri":"c:d"}}', '"params.ref.uri" occurs twice'],
  ])('a member that is read further down may not occur twice either: %s %s', (method, params, problem) => {
    expect(facts(readText(method, `,"params":${params}`))).toBe(problem);
  });

  test('params are JSON to the ends of their long strings', () => {
    const long = 'x'.repeat(5_000);
    for (const bad of ['\\x', '\\u12g4', '\\n\\\\\\'])
      for (const text of [`{"name":"${long}${bad}"}`, `{"name":"t","arguments":{"a":["${long}${bad} ${long}"]}}`])
        expect(() => readText('tools/call', `,"params":${text}`)).toThrow(JsonTextError);
    expect(facts(readText('tools/call', `,"params":{"name":"t","arguments":["${long}\\"\\\\\\u00e9"]}`))).toMatchObject(
      {},
    );
  });
});

/** A request with everything that may stand around what is replaced; `null` leaves the token out. */
const requests = fc
  .record({
    method: fc.constantFrom(
      { name: 'tools/call', wrap: (target: string) => `"name" :${target}` },
      { name: 'prompts/get', wrap: (target: string) => `"n\\u0061me":${target}` },
      { name: 'resources/read', wrap: (target: string) => `"uri": ${target}` },
      { name: 'completion/complete', wrap: (target: string) => `"ref":{"type":"x","uri":${target} }` },
    ),
    foreign: fc.tuple(jsonTexts, jsonTexts, jsonTexts),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
    size: fc.constantFrom('', 'x'.repeat(20_000)),
  })
  .map(({ method, foreign: [a, b, c], order, size }) => (id: string, target: string, token: string | null) => {
    const meta = token === null ? `"_meta":{"other":${a}}` : `"_meta":{"other":${a},"progressToken": ${token} ,"z":1}`;
    const params = inOrder(order, [method.wrap(target), `"arguments":${b}`, meta, `"é${size}":${c}`]);
    const members = [`"jsonrpc":"2.0"`, `"id":${id}`, `"method":"${method.name}"`, `"params" : {${params}}`];
    return `{${inOrder(order, members)}}`;
  });

function inOrder(order: readonly number[], parts: readonly string[]): string {
  return order.map((index) => parts[index]).join(',');
}

describe('spliceCall', () => {
  test('gives the text that the client would have written with our id, token and target, on one line: no other byte differs', () => {
    const tokens = fc.constantFrom('1', '"t"', '-0.5e2', '"\\u00e9é"', null);
    const ids = fc.constantFrom('0', '"a"', '"\\"id\\":1"', '9007199254740993');
    const targets = fc.constantFrom('"a"', '"\\u0061\\n"', '"é😀"', '""');
    fc.assert(
      fc.property(requests, ids, targets, tokens, fc.boolean(), (write, id, target, token, renames) => {
        const call = readCallText(request(write(id, target, token))) as CallText;
        expect(call.target).toBe(JSON.parse(target));
        const own = renames ? '"own \\u0000 name"' : undefined;
        const bytes = spliceCall(call, { id: 12_345, progressToken: 678, target: own });
        const wanted = write('12345', own ?? target, token === null ? null : '678');
        expect(toBuffer(bytes).equals(Buffer.from(oneLine(wanted)))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

test('findProgressToken finds strings and numbers only', () => {
  const find = (params: string) => {
    const message = request(`{"id":1,"method":"a","params":${params}}`);
    const span = findProgressToken(message.frame, paramsOf(message));
    return span === undefined ? undefined : rawText(message.frame.text, span);
  };
  expect(find('{"_meta":{"progressToken":0}}')).toBe('0');
  expect(find('{"_meta":{"progressToken":""}}')).toBe('""');
  for (const token of ['null', 'true', '[]', '{}'])
    expect(find(`{"_meta":{"progressToken":${token}}}`)).toBeUndefined();
  expect(find('{"progressToken":1}')).toBeUndefined();
});

test('sortedEdits sorts edits by their start, and keeps the order of those at one place', () => {
  const one = fc.record({ start: fc.integer({ min: 0, max: 5 }), end: fc.nat(), text: fc.string() });
  const edits = fc.array(one, { maxLength: 20 });
  fc.assert(
    fc.property(edits, (list) => {
      expect(sortedEdits([...list])).toEqual(list.toSorted((a, b) => a.start - b.start));
    }),
  );
});
