import { expect, test } from 'vitest';
import type { Caller } from '../../../../src/core/providers/provider.ts';
import { OpenCalls } from '../../../../src/session/legacy/open-calls.ts';
import { CallQuota } from '../../../../src/session/local/call-quota.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import type { RequestMessage } from '../../../../src/wire/message.ts';
import { type Reply, resultReply } from '../../../../src/wire/reply.ts';
import { Asked, read } from '../modern-setup.ts';
import { legacyParts } from './setup.ts';

const callText = (id: unknown): CallText =>
  readCallText(
    read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't' } })),
  ) as CallText;
const errorOf = (reply: Reply | undefined) => reply && JSON.parse(toBuffer(reply.withId('0')).toString());

function setup(callsPerClient = 10) {
  const parts = legacyParts();
  const callers: Caller[] = [];
  const cancelled: (string | undefined)[] = [];
  const route = (_text: CallText, caller: Caller) => {
    callers.push(caller);
    return { cancel: (reason?: string) => void cancelled.push(reason) };
  };
  const quota = new CallQuota(() => ({ calls: 100, callsPerClient }));
  const subscriptions = { call: (_text: CallText, caller: Caller, send: (to: Caller) => unknown) => send(caller) };
  const host = { quota, router: { call: route } };
  const calls = new OpenCalls({ ...parts, sessionId: 's', payer: 'p', host, subscriptions } as never);
  return { ...parts, calls, callers, cancelled, quota };
}

test('a call is open until it is answered, and counts as one of its client', async () => {
  const { calls, callers, quota } = setup();
  const exchange = new Asked(1);
  expect(calls.begin(callText(1), exchange)).toBeUndefined();
  expect([calls.size, quota.openCalls]).toEqual([1, 1]);
  callers[0]!.onReply(resultReply({ content: [] }));
  expect(await exchange.answered).toMatchObject({ id: 1, result: { content: [] } });
  expect([calls.size, quota.openCalls]).toEqual([0, 0]);
  callers[0]!.onReply(resultReply({ content: [] }));
  expect([exchange.replies, quota.openCalls]).toEqual([1, 0]);
});

test('an id is free again once its call is answered, and not before', () => {
  const { calls, callers } = setup();
  calls.begin(callText(1), new Asked(1));
  expect(errorOf(calls.begin(callText(1), new Asked(1)))).toMatchObject({ error: { code: -32600 } });
  expect(calls.begin(callText('1'), new Asked(1))).toBeUndefined();
  expect([calls.size, callers.length]).toEqual([2, 2]);
  callers[0]!.onReply(resultReply({}));
  expect(calls.begin(callText(1), new Asked(1))).toBeUndefined();
});

test('beyond its share a client begins no call; what asks no upstream is not bounded', () => {
  const { calls, callers } = setup(1);
  calls.begin(callText(1), new Asked(1));
  expect([calls.denialOf('tools/call'), calls.denialOf('ping')]).toEqual(['client-full', undefined]);
  expect(errorOf(calls.begin(callText(2), new Asked(2)))).toMatchObject({ result: { isError: true } });
  expect([calls.size, callers.length]).toEqual([1, 1]);
});

test('a client has its share again with each call that ends, however it ends', () => {
  const { calls, callers } = setup(1);
  calls.begin(callText(1), new Asked(1));
  callers[0]!.onReply(resultReply({}));
  expect(calls.denialOf('tools/call')).toBeUndefined();
  calls.begin(callText(2), new Asked(2));
  calls.cancel('2', undefined);
  expect(calls.denialOf('tools/call')).toBeUndefined();
});

test('a cancelled call is given up at its provider, and gets no answer', () => {
  const { calls, callers, cancelled, quota } = setup();
  const exchange = new Asked(1);
  calls.begin(callText(1), exchange);
  calls.cancel('2', undefined);
  expect(cancelled).toEqual([]);
  calls.cancel('1', '"why"');
  callers[0]!.onReply(resultReply({}));
  expect([cancelled, exchange.isAbandoned, exchange.replies]).toEqual([['"why"'], true, 0]);
  expect([calls.size, quota.openCalls]).toEqual([0, 0]);
});

test('all calls are cancelled together', () => {
  const { calls, cancelled, quota } = setup();
  for (const id of [1, 2, 3]) calls.begin(callText(id), new Asked(id));
  calls.cancelAll('"gone"');
  expect(cancelled).toEqual(['"gone"', '"gone"', '"gone"']);
  expect([calls.size, quota.openCalls]).toEqual([0, 0]);
});
