import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forModernClient, listHead } from '../../../../src/era/modern/modern-result.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { membersOf } from '../../../../src/wire/lens.ts';
import { type ResponseMessage, readMessage } from '../../../../src/wire/message.ts';
import { errorReply, type Reply, relayedReply, resultReply } from '../../../../src/wire/reply.ts';
import { oneLine } from '../../wire/arbitraries.ts';
import { memberSlices, memberTexts, objectText, spaces } from '../../wire/object-texts.ts';

const INFO = '{"name":"gw"}';
const NAMED = '"io.modelcontextprotocol/serverInfo":{"name":"gw"}';

interface Peer {
  readonly method?: string;
  readonly isModern?: boolean;
  readonly serverInfo?: string | undefined;
}

function replyTo(text: string, isModern: boolean): Reply {
  return relayedReply(readMessage(Frame.of(Buffer.from(text))) as ResponseMessage, isModern) as Reply;
}

/** What a modern client gets of a server's answer. */
function passed(text: string, { method = 'tools/call', isModern = false, ...rest }: Peer = {}): string {
  const serverInfo = 'serverInfo' in rest ? rest.serverInfo : INFO;
  return toBuffer(forModernClient(method, replyTo(text, isModern), serverInfo).withId('7')).toString();
}

const answer = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`;
const refusal = (error: string) => `{"jsonrpc":"2.0","id":1,"error":${error}}`;
const resultIn = (text: string) => /^\{"jsonrpc":"2\.0","id":7,"result":(.*)\}$/s.exec(text)![1]!;

describe('the result of a legacy server', () => {
  test.each([
    ['tools/call', '{}', `{"resultType":"complete","_meta":{${NAMED}}}`],
    ['tools/call', '{ }', `{"resultType":"complete","_meta":{${NAMED}} }`],
    ['tools/call', '{"content":[]}', `{"resultType":"complete","_meta":{${NAMED}},"content":[]}`],
    ['tools/call', '{"a":1.0, "_meta" : {} }', `{"resultType":"complete","a":1.0, "_meta" : {${NAMED}} }`],
    ['tools/call', '{"_meta":{ "k":1}}', `{"resultType":"complete","_meta":{${NAMED}, "k":1}}`],
    ['tools/call', '{"_meta":null}', '{"resultType":"complete","_meta":null}'],
    // What it calls a type is not what this revision means by it.
    ['tools/call', '{"resultType": "task","_meta":1}', '{"resultType": "complete","_meta":1}'],
    [
      'resources/read',
      '{"contents":[]}',
      `{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{${NAMED}},"contents":[]}`,
    ],
    ['resources/read', '{"ttlMs":5,"_meta":1}', '{"resultType":"complete","cacheScope":"private","ttlMs":5,"_meta":1}'],
    [
      'resources/read',
      '{"cacheScope":"public","_meta":1}',
      '{"resultType":"complete","ttlMs":0,"cacheScope":"public","_meta":1}',
    ],
    ['prompts/get', '{"messages":[]}', `{"resultType":"complete","_meta":{${NAMED}},"messages":[]}`],
    ['completion/complete', '{"ttlMs":5,"_meta":1}', '{"resultType":"complete","ttlMs":5,"_meta":1}'],
  ])('of %s: %s → %s', (method, result, expected) => {
    expect(resultIn(passed(answer(result), { method }))).toBe(expected);
  });

  test('names no server where that is switched off', () => {
    expect(resultIn(passed(answer('{"content":[]}'), { serverInfo: undefined }))).toBe(
      '{"resultType":"complete","content":[]}',
    );
  });

  test('keeps the server that it names', () => {
    const result = '{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"own"}}}';
    expect(resultIn(passed(answer(result)))).toBe(`{"resultType":"complete",${result.slice(1)}`);
  });
});

const keys = fc.constantFrom('"content"', '"a"', '"\\u0061"', '"__proto__"', '"resultType "');
const metaMember = memberTexts(
  fc.constant('"_meta"'),
  fc
    .tuple(fc.array(memberTexts(keys), { maxLength: 3 }), spaces)
    .map(([members, inside]) => objectText(members, inside)),
);
/** Results with a `_meta` somewhere, or with none. */
const results = fc
  .tuple(fc.array(memberTexts(keys), { maxLength: 4 }), fc.option(metaMember), fc.nat(4), spaces)
  .map(([members, meta, at, inside]) => {
    const all = [...members];
    if (meta !== null) all.splice(Math.min(at, all.length), 0, meta);
    return objectText(all, inside);
  });

const slicesOf = (result: string) => {
  const text = Buffer.from(result);
  const meta = membersOf(text).find(({ key }) => key === '_meta');
  return {
    members: memberSlices(text).filter((member) => !member.startsWith('"_meta"')),
    meta: meta === undefined ? [] : memberSlices(text, meta),
  };
};

test('whatever a legacy server says stays byte for byte, beside what is added', () => {
  fc.assert(
    fc.property(results, fc.constantFrom('tools/call', 'resources/read'), (result, method) => {
      const before = slicesOf(oneLine(result));
      const after = slicesOf(resultIn(passed(answer(result), { method })));
      const hints = method === 'resources/read' ? ['"ttlMs":0', '"cacheScope":"private"'] : [];
      expect(after.members).toEqual(['"resultType":"complete"', ...hints, ...before.members]);
      expect(after.meta).toEqual([NAMED, ...before.meta]);
    }),
    { numRuns: 300 },
  );
});

test('a modern server is only given a name, where it has none', () => {
  fc.assert(
    fc.property(results, fc.constantFrom('tools/call', 'resources/read'), (result, method) => {
      const before = slicesOf(oneLine(result));
      const after = slicesOf(resultIn(passed(answer(result), { method, isModern: true })));
      expect(after).toEqual({ members: before.members, meta: [NAMED, ...before.meta] });
      const nameless = passed(answer(result), { method, isModern: true, serverInfo: undefined });
      expect(resultIn(nameless)).toBe(oneLine(result));
    }),
    { numRuns: 300 },
  );
  const named = '{"resultType":"input_required","_meta":{"io.modelcontextprotocol/serverInfo":{}}}';
  expect(resultIn(passed(answer(named), { isModern: true }))).toBe(named);
});

describe('an error', () => {
  test.each([
    ['{"code":-32002,"message":"gone","data":{"uri":"x"}}', '{"code":-32602,"message":"gone","data":{"uri":"x"}}'],
    ['{ "message":"gone" , "code" : -32002 }', '{ "message":"gone" , "code" : -32602 }'],
    ['{"code":-32601,"message":"-32002"}', '{"code":-32601,"message":"-32002"}'],
    ['{"code":-320020,"message":"m"}', '{"code":-320020,"message":"m"}'],
    ['{"code":-32042,"message":"m","data":{}}', '{"code":-32042,"message":"m","data":{}}'],
  ])('%s → %s', (error, expected) => {
    expect(passed(refusal(error))).toBe(`{"jsonrpc":"2.0","id":7,"error":${expected}}`);
  });

  test('made here has the code of the era as well', () => {
    const made = forModernClient('resources/read', errorReply({ code: -32002, message: 'é' }), INFO);
    expect(toBuffer(made.withId('7')).toString()).toBe(refusal('{"code":-32602,"message":"é"}').replace('1', '7'));
  });
});

test('a result that was made here is completed like any other', () => {
  const made = forModernClient('tools/call', resultReply({ content: ['é'] }), INFO);
  expect(made.outcome).toBe('result');
  expect(resultIn(toBuffer(made.withId('7')).toString())).toBe(
    `{"resultType":"complete","_meta":{${NAMED}},"content":["é"]}`,
  );
});

test('a large result is completed in pieces', () => {
  const large = `{"content":[{"text":"${'é'.repeat(20_000)}"}]}`;
  expect(resultIn(passed(answer(large)))).toBe(`{"resultType":"complete","_meta":{${NAMED}},${large.slice(1)}`);
});

test('lists say that they are complete, not to be kept, and whose they are', () => {
  expect(JSON.parse(`{${listHead(INFO)}}`)).toEqual({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'gw' } },
  });
  expect(JSON.parse(`{${listHead(undefined)}}`)).not.toHaveProperty('_meta');
});
