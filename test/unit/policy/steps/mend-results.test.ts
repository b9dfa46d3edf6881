import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import type { Descriptor, Provider, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { mendResults } from '../../../../src/policy/mend-results.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { readMessage } from '../../../../src/wire/message.ts';
import { errorReply, openReply, type Reply, relayedReply, resultReply } from '../../../../src/wire/reply.ts';

const create = await mendResults.load();

const descriptor = { kind: 'tool', text: '{"name":"t","inputSchema":{}}' } as Descriptor;
const routed = { provider: {} as Provider, descriptor, call: { ownName: 't' } as ProviderCall };

function through(result: string, isModern = false): string {
  const message = readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":41,"result":${result}}`)));
  if (message.kind !== 'response') throw new Error('no response');
  const reply = create(() => undefined).inspect!(routed)!(relayedReply(message, isModern) as Reply);
  const text = toBuffer(reply.withId('1')).toString('utf8');
  return text.slice('{"jsonrpc":"2.0","id":1,"result":'.length, -1);
}

const TEXT = '"content":[{"type":"text","text":"x"}]';

describe('a member that is null or [] counts as absent', () => {
  test.each([
    [`{${TEXT},"structuredContent":null}`, `{${TEXT}}`],
    [`{"structuredContent":[],${TEXT}}`, `{${TEXT}}`],
    [`{${TEXT},"structuredContent":[1]}`, `{${TEXT}}`],
    [`{"isError":null,${TEXT},"_meta":null}`, `{${TEXT}}`],
    [`{${TEXT},"_meta":[]}`, `{${TEXT}}`],
    ['{"content":null}', '{"content":[]}'],
    ['{"structuredContent":null,"content":null,"isError":null,"_meta":[]}', '{"content":[]}'],
    ['{"_meta":null}', '{}'],
  ])('%s', (given, mended) => {
    expect(through(given)).toBe(mended);
    expect(CallToolResultSchema.safeParse(JSON.parse(mended)).success).toBe(true);
  });
});

test.each([
  `{${TEXT}}`,
  `{ ${TEXT} , "structuredContent" : { "a" : null , "b" : [] } , "_meta" : { "x" : null } }`,
  `{${TEXT},"isError":true,"other":null}`,
  '{"content":[null]}',
])('everything else passes byte for byte: %s', (result) => {
  expect(through(result)).toBe(result);
});

test('a modern server may send any value as structured content', () => {
  const result = `{"resultType":"complete",${TEXT},"structuredContent":[]}`;
  expect(through(result, true)).toBe(result);
});

test('of a modern server, too, only structured content may be any value', () => {
  const rest = `"resultType":"complete",${TEXT}`;
  expect(through(`{${rest},"_meta":[]}`, true)).toBe(`{${rest}}`);
});

test('a result of more than 1 MiB passes as it is', () => {
  const ofBytes = (bytes: number) => `{"isError":null,"x":"${'x'.repeat(bytes - '{"isError":null,"x":""}'.length)}"}`;
  const large = ofBytes(1024 * 1024 + 1);
  expect(through(large) === large).toBe(true);
  expect(through(ofBytes(1024 * 1024)).slice(0, 10)).toBe('{"x":"xxxx');
});

test('an error, and an answer that the gateway made, pass as they are', () => {
  const inspect = create(() => undefined).inspect!(routed)!;
  const made = resultReply({ isError: null });
  const error = errorReply({ code: 1, message: 'x', _meta: null } as Parameters<typeof errorReply>[0]);
  const relayed = { ...error, source: openReply(error) };
  expect(inspect(made)).toBe(made);
  expect(inspect(relayed)).toBe(relayed);
});

test.each([undefined, 'prompt', 'resource'] as const)(
  'only results of listed tools are mended, not those of: %s',
  (kind) => {
    const inspect = create(() => undefined).inspect!;
    expect(inspect({ ...routed, descriptor: kind && { ...descriptor, kind } })).toBeUndefined();
  },
);
