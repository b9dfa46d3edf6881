import { expect, test } from 'vitest';
import { killRounds, ReplaceableGateway } from '../../support/replaceable-gateway.ts';

const EXITED = { reason: 'exited', retryable: true, effect: 'unknown' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
};

/** A client with a session in a gateway that can be replaced. */
async function attached(capabilities: object = {}) {
  const gateway = await ReplaceableGateway.start();
  const { client, child } = gateway.connect();
  await client.initialize(capabilities);
  await expect.poll(() => client.toolNames()).toContain('t_echo');
  return { gateway, client, child };
}

test('a client goes on when its gateway was killed and started again, and each open call is answered once', async () => {
  const { gateway, client } = await attached();
  const open = client.request('tools/call', { name: 't_wait', arguments: { ms: 3_600_000 } }, '"open"');
  await gateway.hasCalls(1);
  await gateway.end();
  expect((await open).value.result).toMatchObject({ isError: true, _meta: { 'viaduct/gateway': EXITED } });
  const inTheGap = client.callText('t_echo', { text: 'said in the gap' });
  const list = client.toolNames();
  await gateway.startAgain();
  expect(await inTheGap).toBe('talkative: said in the gap');
  expect(await list).toContain('t_echo');
  expect(await client.callText('t_echo', { text: 'after it' })).toBe('talkative: after it');
  for (const kind of ['tools', 'prompts', 'resources'])
    expect(client.notifications(`notifications/${kind}/list_changed`).length).toBeGreaterThan(0);
  expect(client.messages.filter(({ value }) => value.id === 'open')).toHaveLength(1);
  expect(client.messages.filter(({ value }) => value.result?.serverInfo !== undefined)).toHaveLength(1);
});

test('a client goes on when its gateway was stopped and started again', async () => {
  const { gateway, client } = await attached();
  await gateway.end('SIGTERM');
  const inTheGap = client.callText('t_echo', { text: 'said in the gap' });
  await gateway.startAgain();
  expect(await inTheGap).toBe('talkative: said in the gap');
});

test('subscriptions and the log level live on in another gateway', async () => {
  const { gateway, client } = await attached();
  await client.request('resources/subscribe', { uri: 'talkative://one' });
  await client.request('logging/setLevel', { level: 'error' });
  await gateway.end();
  await gateway.startAgain();
  await client.call('t_touch', { uri: 'talkative://one' });
  await client.waitFor(({ value }) => value.method === 'notifications/resources/updated');
  for (const level of ['warning', 'error']) await client.call('t_log', { level, data: `a note: ${level}` });
  const notes = client.notifications('notifications/message').map(({ value }) => value.params.data);
  expect(notes).toContain('a note: error');
  expect(notes).not.toContain('a note: warning');
});

test('questions that are open when the gateway is killed are taken back', async () => {
  const { gateway, client } = await attached({ roots: {}, sampling: {}, elicitation: {} });
  const calls = ['t_sample', 't_elicit'].map((name) => client.call(name, { text: 'x', message: 'x' }));
  const questions = await Promise.all(
    ['sampling/createMessage', 'elicitation/create'].map((method) =>
      client.waitFor(({ value }) => value.method === method),
    ),
  );
  await gateway.end();
  for (const answer of await Promise.all(calls)) expect(answer._meta['viaduct/gateway']).toMatchObject(EXITED);
  const ids = new Set(questions.map(({ value }) => value.id));
  await client.waitFor(({ value }) => value.method === 'notifications/cancelled');
  const withdrawn = client.notifications('notifications/cancelled').map(({ value }) => value.params.requestId);
  expect(new Set(withdrawn)).toEqual(ids);
  await gateway.startAgain();
  for (const id of ids) client.write(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'cancel' } }));
  client.answers.set('elicitation/create', () => ({ action: 'accept', content: {} }));
  expect(await client.callText('t_elicit', { message: 'again' })).toContain('accept');
});

test('a client of revision 2026-07-28 goes on, and hears about changes as before', async () => {
  const gateway = await ReplaceableGateway.start();
  const { client } = gateway.connect();
  const list = () => client.request('tools/list', { _meta: META });
  await expect.poll(async () => JSON.stringify((await list()).value)).toContain('t_echo');
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['talkative://one'] };
  const listen = client.request('subscriptions/listen', { notifications, _meta: META }, '"changes"');
  listen.catch(() => undefined); // it ends with the connection
  await client.waitFor(({ value }) => value.method === 'notifications/subscriptions/acknowledged');
  const call = (name: string, args: object) => client.request('tools/call', { name, arguments: args, _meta: META });
  const open = call('t_wait', { ms: 3_600_000 });
  await gateway.hasCalls(1);
  await gateway.end();
  expect((await open).value.result).toMatchObject({ resultType: 'complete', _meta: { 'viaduct/gateway': EXITED } });
  await gateway.startAgain();
  const changed = await client.waitFor(({ value }) => value.method === 'notifications/tools/list_changed');
  expect(changed.value.params._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 'changes' });
  await expect
    .poll(async () => {
      await call('t_touch', { uri: 'talkative://one' });
      return client.notifications('notifications/resources/updated').length;
    })
    .toBeGreaterThan(0);
  expect(client.notifications('notifications/subscriptions/acknowledged')).toHaveLength(1);
});

test('a client that leaves while no gateway is there is served no more', async () => {
  const { gateway, client, child } = await attached();
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await gateway.end();
  client.end();
  expect(await exit).toBe(0);
});

test('clients with open calls survive a gateway that is killed twice', async () => {
  expect(await killRounds(4, 2)).toEqual([2, 2, 2, 2]);
});
