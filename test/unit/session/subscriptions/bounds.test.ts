import { expect, test } from 'vitest';
import type { RequestMessage } from '../../../../src/wire/message.ts';
import { resultReply } from '../../../../src/wire/reply.ts';
import { Asked, modernSetup, read } from '../modern-setup.ts';

/** A legacy client, and an upstream that agrees to everything. */
function setup() {
  const { host, sessions, provider } = modernSetup();
  const session = sessions.open(host, {
    id: 's',
    transport: 'test',
    profile: undefined,
    folderRule: undefined,
    output: () => undefined,
  });
  const request = (method: string, uri: string) => {
    const asked = new Asked(1);
    session.onMessage(read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { uri } })), asked);
    provider.calls.pop()?.call.caller.onReply(resultReply({}));
    return asked.answered;
  };
  return { subscribe: (uri: string) => request('resources/subscribe', uri), request, host };
}

test('a client may subscribe to 10,000 resources, and hears why it may not have more', async () => {
  const { subscribe, request, host } = setup();
  for (let index = 0; index < 10_000; index++) void subscribe(`x:${index}`);
  expect(await subscribe('x:more')).toMatchObject({
    error: { code: -32603, message: expect.stringContaining('This client has 10000 subscriptions') as string },
  });
  expect(await subscribe('x:7')).toHaveProperty('result');
  await request('resources/unsubscribe', 'x:7');
  expect(await subscribe('x:more')).toHaveProperty('result');
  expect(host.quota.openCalls).toBe(0);
});

test('a uri that is too long is refused', async () => {
  const { subscribe } = setup();
  expect(await subscribe(`x:${'y'.repeat(10_000)}`)).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('"uri" has 10002 characters') as string },
  });
});
