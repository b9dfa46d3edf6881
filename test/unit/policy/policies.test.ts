import { expect, test } from 'vitest';
import type { Descriptor, Provider } from '../../../src/core/providers/provider.ts';
import type { RoutedCall } from '../../../src/policy/policy.ts';
import { PolicySet } from '../../../src/policy/policy-set.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { madeRequest, readMessage } from '../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../src/wire/reply.ts';

const { policies } = await PolicySet.load({});

const SCHEMAS = '"inputSchema":{"type":"object","required":["a"]},"outputSchema":{"type":"object","required":["ok"]}';
const TOOL = { kind: 'tool', ownName: 't', text: `{"name":"t",${SCHEMAS}}` } as Descriptor;

function routed(descriptor: Descriptor | undefined, validation: Provider['validation'] = 'enforce'): RoutedCall {
  const text = readCallText(madeRequest('tools/call', '{"name":"up_t","arguments":{}}')) as CallText;
  const provider = { id: 'up', validation } as Provider;
  return { provider, descriptor, call: { text, ownName: 't' } as RoutedCall['call'] };
}

/** The answer of a server to the call as its client gets it: the last policy sees it first. */
function through(call: RoutedCall, result: string): string {
  const message = readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":41,"result":${result}}`)));
  if (message.kind !== 'response') throw new Error('no response');
  const steps = policies.flatMap((policy) => policy.inspect?.(call) ?? []);
  const reply = steps.reduceRight((answer, inspect) => inspect(answer), relayedReply(message) as Reply);
  return JSON.stringify(JSON.parse(toBuffer(reply.withId('1')).toString()).result);
}

const CONTENT = '"content":[{"type":"text","text":"{\\"ok\\":true}"}]';

test('structured content that is null counts as missing, and is filled in from the text', () => {
  expect(JSON.parse(through(routed(TOOL), `{${CONTENT},"structuredContent":null}`))).toEqual({
    content: [{ type: 'text', text: '{"ok":true}' }],
    structuredContent: { ok: true },
  });
});

test.each<[string, Descriptor | undefined]>([
  ['a tool that its server does not list', undefined],
  ['a prompt', { kind: 'prompt', ownName: 'p', text: '{"name":"p"}' } as Descriptor],
  ['a resource', { kind: 'resource', ownName: 'r', text: '{"uri":"r"}' } as Descriptor],
])('what is about listed tools does not concern %s', (_what, descriptor) => {
  const call = routed(descriptor);
  expect(policies.map((policy) => policy.admit?.(call))).toEqual(policies.map(() => undefined));
  const result = '{"content":null,"structuredContent":[]}';
  expect(through(call, result)).toBe(result);
});
