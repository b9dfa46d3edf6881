import { expect, test } from 'vitest';
import { ShimUnderTest, settle } from './shim-under-test.ts';

const say = (under: ShimUnderTest, message: object) =>
  under.client.write(JSON.stringify({ jsonrpc: '2.0', ...message }));

async function initialized(options?: ConstructorParameters<typeof ShimUnderTest>[0]): Promise<ShimUnderTest> {
  const under = new ShimUnderTest(options);
  await under.client.initialize({}, '2025-11-25');
  await settle();
  return under;
}

/** Sends a request that makes the session, and waits for its answer. */
async function set(under: ShimUnderTest, id: number, method: string, params: object): Promise<void> {
  say(under, { id, method, params });
  await settle();
  under.gateway.answer(0);
  await settle();
}

test('another gateway gets what makes the session, and its answers are not for the client', async () => {
  const under = await initialized();
  await set(under, 10, 'logging/setLevel', { level: 'info' });
  await set(under, 11, 'logging/setLevel', { level: 'error' });
  await set(under, 12, 'resources/subscribe', { uri: 'a:kept' });
  await set(under, 13, 'resources/subscribe', { uri: 'a:given-up' });
  await set(under, 14, 'resources/unsubscribe', { uri: 'a:given-up' });
  const before = under.client.messages.length;
  const next = await under.replace();
  expect(next.heard.map(({ method, params }) => [method, params?.level ?? params?.uri])).toEqual([
    ['notifications/viaduct/profile', undefined],
    ['initialize', undefined],
    ['notifications/initialized', undefined],
    ['logging/setLevel', 'error'],
    ['resources/subscribe', 'a:kept'],
  ]);
  next.answerAll();
  await settle();
  expect(under.client.messages.slice(before).map(({ value }) => value.method)).toEqual([
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
  ]);
});

test('an open call is answered as one whose upstream has exited; a list is asked for again', async () => {
  const under = await initialized();
  say(under, { id: 'call', method: 'tools/call', params: { name: 'x' } });
  say(under, { id: 'prompt', method: 'prompts/get', params: {} });
  say(under, { id: 'list', method: 'tools/list' });
  await settle();
  const next = await under.replace(true);
  const facts = { reason: 'exited', retryable: true, effect: 'unknown', retryAfterMs: 1000 };
  expect(under.answersTo('call')).toMatchObject([{ result: { isError: true, _meta: { 'viaduct/gateway': facts } } }]);
  expect(under.answersTo('call')[0].result.content[0].text).toContain('It is unknown whether the call took effect.');
  expect(under.answersTo('prompt')).toMatchObject([{ error: { code: -32603, data: { gateway: facts } } }]);
  expect(under.answersTo('list')).toEqual([]);
  next.answerAll();
  await settle();
  expect(under.answersTo('list')).toMatchObject([{ result: { of: 'tools/list' } }]);
  expect(next.methods).not.toContain('tools/call');
});

test('what the client says in the meantime waits, and half a message of it becomes whole', async () => {
  let isReachable = false;
  const under = await initialized({ prepare: (_, number) => number === 0 || isReachable });
  under.input.write('{"jsonrpc":"2.0","id":20,"meth');
  await settle();
  under.gateway.die();
  await settle();
  under.input.write('od":"tools/call","params":{}}\n');
  say(under, { id: 21, method: 'ping' });
  await settle();
  isReachable = true;
  await expect.poll(() => under.gateways.length).toBe(2);
  await settle();
  expect(under.gateway.methods.slice(-2)).toEqual(['tools/call', 'ping']);
  under.gateway.answerAll();
  await settle();
  expect([20, 21].map((id) => under.answersTo(id).length)).toEqual([1, 1]);
});

test('a question of a gateway that ended is taken back, and its answer goes nowhere', async () => {
  const under = await initialized();
  const id = under.gateway.ask();
  await settle();
  const next = await under.replace();
  expect(under.client.notifications('notifications/cancelled').map(({ value }) => value.params.requestId)).toEqual([
    id,
  ]);
  say(under, { id, result: { roots: [] } });
  const own = next.ask();
  await settle();
  say(under, { id: own, result: { roots: [] } });
  await settle();
  expect(next.strayAnswers).toEqual([]);
  expect(next.heard.filter((message) => message.method === undefined).map((message) => message.id)).toEqual([own]);
});

test('a request that the client has cancelled is not answered', async () => {
  const under = await initialized();
  say(under, { id: 30, method: 'tools/call', params: {} });
  say(under, { method: 'notifications/cancelled', params: { requestId: 30 } });
  await settle();
  await under.replace();
  expect(under.answersTo(30)).toEqual([]);
});

test('an `initialize` that is not answered is answered by the next gateway, to the client', async () => {
  const under = new ShimUnderTest({
    prepare: (gateway, number) => {
      gateway.isSilent = number === 0;
      return true;
    },
  });
  say(under, { id: 1, method: 'initialize', params: {} });
  await settle();
  await under.replace();
  expect(under.answersTo(1)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
});

test.each([
  ['another protocol version', { protocolVersion: '2025-06-18' }, 'protocol version 2025-06-18 instead of 2025-11-25'],
  [
    'fewer capabilities',
    { capabilities: { tools: { listChanged: true } } },
    'does not offer the capability "resources"',
  ],
])('a gateway with %s does not take the place of another one', async (_, facts, reason) => {
  const under = await initialized({
    prepare: (gateway, number) => Boolean(number > 0 ? Object.assign(gateway, facts) : gateway),
  });
  say(under, { id: 40, method: 'tools/list' });
  await settle();
  await under.replace();
  expect(under.end).toMatchObject({ clean: false, reason: expect.stringContaining(reason) });
  expect(under.answersTo(40)).toMatchObject([
    { error: { data: { gateway: { reason: 'cancelled', effect: 'none' } } } },
  ]);
});

test('when there is no other gateway, every request is answered and the client told why', async () => {
  const under = await initialized({ reconnectError: new Error('no gateway for you') });
  say(under, { id: 50, method: 'tools/call', params: {} });
  say(under, { id: 51, method: 'tools/list' });
  await settle();
  await under.replace();
  expect(under.end).toEqual({ clean: false, reason: 'the gateway has closed the connection; no gateway for you' });
  expect([50, 51].map((id) => under.answersTo(id).length)).toEqual([1, 1]);
});

test('a gateway that ends again and again is not replaced for ever', async () => {
  const under = await initialized();
  for (let times = 0; under.end === undefined && times < 20; times++) await under.replace();
  expect(under.end?.reason).toContain('one gateway after another has ended');
});

test('a client that sends batches is disconnected, and its other requests are answered', async () => {
  const under = await initialized();
  under.client.write('[{"jsonrpc":"2.0","id":60,"method":"ping"}]');
  say(under, { id: 61, method: 'tools/list' });
  await settle();
  await under.replace();
  expect(under.end?.reason).toContain('another one cannot take its place: the client sends batches');
  expect(under.answersTo(61)).toHaveLength(1);
});

test('a client that leaves while no gateway is there ends the shim', async () => {
  const under = await initialized({ prepare: (_, number) => number === 0 });
  await under.replace();
  say(under, { id: 70, method: 'tools/call', params: {} });
  under.client.end();
  await settle();
  expect(under.end).toEqual({ clean: true, reason: 'the client has gone' });
  expect(under.answersTo(70)).toMatchObject([{ result: { _meta: { 'viaduct/gateway': { effect: 'none' } } } }]);
});

test('a client that says more than is kept is not read until a gateway is there', async () => {
  let isReachable = false;
  const under = await initialized({ prepare: (_, number) => number === 0 || isReachable });
  under.gateway.die();
  await settle();
  const call = { jsonrpc: '2.0', id: 80, method: 'tools/call', params: { text: 'x'.repeat(1024 * 1024) } };
  for (let times = 0; times < 4; times++) under.input.write(`${JSON.stringify({ ...call, id: 80 + times })}\n`);
  await settle();
  expect(under.input.readableLength + under.input.writableLength).toBeGreaterThan(1024 * 1024);
  isReachable = true;
  await expect.poll(() => under.gateway.methods.filter((method) => method === 'tools/call').length).toBe(4);
});

test('streams of changes (2026-07-28) are opened again, and acknowledged once', async () => {
  const under = new ShimUnderTest();
  say(under, { id: 'changes', method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } });
  await settle();
  const acknowledgement = {
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'changes' },
      notifications: { toolsListChanged: true },
    },
  };
  under.gateway.send(acknowledgement);
  say(under, { id: 'call', method: 'tools/call', params: {} });
  await settle();
  for (let times = 0; times < 2; times++) {
    const next = await under.replace();
    expect(next.methods.slice(1)).toEqual(['subscriptions/listen']);
    next.send(acknowledgement);
    await settle();
  }
  expect(under.client.notifications(acknowledgement.method)).toHaveLength(1);
  const notices = under.client.notifications('notifications/tools/list_changed');
  expect(notices.map(({ value }) => value.params._meta)).toEqual([
    acknowledgement.params._meta,
    acknowledgement.params._meta,
  ]);
  expect(under.answersTo('call')).toMatchObject([{ result: { resultType: 'complete', isError: true } }]);
  expect(under.answersTo('changes')).toEqual([]);
});
