import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forLegacyClient } from '../../../../src/era/legacy/legacy-result.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type ResponseMessage, readMessage } from '../../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../../src/wire/reply.ts';
import { jsonTexts, oneLine } from '../../wire/arbitraries.ts';

/** What a legacy client gets of a server's answer. */
function passed(method: string, json: string, isModern = true): string {
  const message = readMessage(Frame.of(Buffer.from(json))) as ResponseMessage;
  return toBuffer(forLegacyClient(method, relayedReply(message, isModern) as Reply).withId('7')).toString();
}

const answer = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const left = (result: string) => `{"jsonrpc":"2.0","id":7,"result":${result}}`;

test.each([
  ['tools/call', '{"resultType":"complete"}', '{}'],
  ['tools/call', '{"resultType":"complete","content":[]}', '{"content":[]}'],
  ['tools/call', '{ "content" : [] , "resultType" : "complete" }', '{ "content" : [] }'],
  ['tools/call', '{"ttlMs":1,"resultType":"complete","cacheScope":"x"}', '{"ttlMs":1,"cacheScope":"x"}'],
  ['resources/read', '{"ttlMs":1,"contents":[],"cacheScope":"public","resultType":"complete"}', '{"contents":[]}'],
  ['tools/call', '{"structuredContent":[1.0, 2]}', '{"structuredContent":{"result":[1.0, 2]}}'],
  ['tools/call', '{"structuredContent":null,"resultType":"complete"}', '{"structuredContent":{"result":null}}'],
  ['tools/call', '{"resultType":"complete","structuredContent": "é"}', '{"structuredContent": {"result":"é"}}'],
  ['tools/call', '{"structuredContent":{"a":1}}', '{"structuredContent":{"a":1}}'],
  ['prompts/get', '{"structuredContent":1}', '{"structuredContent":1}'],
])('%s %s → %s', (method, result, expected) => {
  expect(passed(method, answer(result))).toBe(left(expected));
});

test('answers of legacy servers, and errors, are passed on as they are', () => {
  const result = '{"resultType":"mine","ttlMs":1,"structuredContent":1}';
  expect(passed('tools/call', answer(result), false)).toBe(left(result));
  expect(passed('tools/call', '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"resultType"}}')).toBe(
    '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"resultType"}}',
  );
});

test('whatever else is in a result stays byte for byte, wherever the foreign members stand', () => {
  const foreign = ['"resultType":"complete"', '"ttlMs": 5', '"cacheScope":"public"'];
  fc.assert(
    fc.property(
      fc.array(jsonTexts, { maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...foreign)), { maxLength: 4 }),
      (values, inserted) => {
        const own = values.map((value, index) => `"m${index}":${value}`);
        const all: string[] = [...own];
        for (const [at, member] of inserted) all.splice(Math.min(at, all.length), 0, member);
        expect(passed('resources/read', answer(`{${all.join(',')}}`))).toBe(left(oneLine(`{${own.join(',')}}`)));
      },
    ),
  );
});
