import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { fixture, linesOf, openStdio, startStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';

const KEY = 'io.modelcontextprotocol/';
const STAMP = `${KEY}subscriptionId`;
const ENVELOPE = {
  [`${KEY}protocolVersion`]: '2026-07-28',
  [`${KEY}clientCapabilities`]: { elicitation: {} },
  [`${KEY}clientInfo`]: { name: 'pipe', version: '1' },
};

const modern = (params: object = {}, meta: object = {}) => ({ ...params, _meta: { ...ENVELOPE, ...meta } });
const call = (name: string, args: object = {}) => modern({ name, arguments: args });

function setUp() {
  const log = `${temporaryFolder()}/log`;
  const upstreams = { t: fixture('talkative', `--log=${log}`) };
  const saw = (text: string) => linesOf(log).filter((line) => line.includes(text));
  return { config: writeConfig({ upstreams, lists: { graceMs: 20_000 } }), saw };
}

async function start() {
  const { config, saw } = setUp();
  return { client: await openStdio(config), saw };
}

/** The same as a process. */
function startProcess() {
  const { config, saw } = setUp();
  return { ...startStdio(config), saw };
}

async function echoes(client: RawClient, text: string): Promise<void> {
  const { value } = await client.request('tools/call', call('t_echo', { text }));
  expect(value.result).toMatchObject({ resultType: 'complete', content: [{ text: `talkative: ${text}` }] });
}

const seen = (saw: () => string[]) => expect.poll(() => saw().length).toBeGreaterThan(0);

describe('the era of a client', () => {
  test('is that of each request, as long as there was no initialize', async () => {
    const { client } = await start();
    expect((await client.request('ping')).value.result).toEqual({});
    const { value } = await client.request('server/discover', modern());
    expect(value.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    await client.request('tools/list', modern());
    await echoes(client, 'é');
  });

  test('is the legacy one from initialize on, whatever it asked before', async () => {
    const { client } = await start();
    await client.request('server/discover', modern());
    const { protocolVersion } = await client.initialize();
    expect(protocolVersion).toBe('2025-11-25');
    expect((await client.request('ping')).value.result).toEqual({});
    const list = await client.request('tools/list');
    expect(Object.keys(list.value.result)).toEqual(['tools']);
    expect(await client.callText('t_echo', { text: 'x' })).toBe('talkative: x');
    // An envelope means nothing any more.
    expect((await client.request('server/discover', modern())).value.error.code).toBe(-32601);
  });

  test('is the modern one after a modern request: one without its envelope is refused', async () => {
    const { client } = await start();
    await client.request('tools/list', modern());
    for (const params of [{}, { name: 't_echo' }, { _meta: null }, { _meta: { [`${KEY}clientCapabilities`]: {} } }]) {
      const { value } = await client.request('tools/call', params);
      expect(value.error).toMatchObject({ code: -32602, message: expect.stringContaining(`${KEY}protocolVersion`) });
    }
    await echoes(client, 'x');
  });

  test.each([
    ['2099-01-01', -32022],
    ['2025-11-25', -32022],
    [7, -32602],
  ])('an envelope of the revision %s: %s', async (version, code) => {
    const { client } = await start();
    const { value } = await client.request('tools/list', modern({}, { [`${KEY}protocolVersion`]: version }));
    expect(value.error.code).toBe(code);
  });

  test('a batch is of none', async () => {
    const { client } = await start();
    await client.request('tools/list', modern());
    const params = JSON.stringify(modern());
    client.write(`[{"jsonrpc":"2.0","id":"batch","method":"tools/list","params":${params}}]`);
    const refused = await client.waitFor(({ value }) => value.error !== undefined);
    expect(refused.value).toMatchObject({ id: null, error: { code: -32600 } });
    await echoes(client, 'x');
  });
});

describe('requests that are under way', () => {
  test('have ids of their own: a second one of the same id is refused, and the first goes on', async () => {
    const { client, saw } = await start();
    const first = client.request('tools/call', call('t_wait', { ms: 500 }), '"a"');
    await seen(() => saw('call wait'));
    const from = client.messages.length;
    client.write(`{"jsonrpc":"2.0","id":"\\u0061","method":"tools/list","params":${JSON.stringify(modern())}}`);
    const refused = await client.waitFor(({ value }) => value.id === 'a', from);
    expect(refused.value.error).toMatchObject({ code: -32600, message: expect.stringContaining('in use') });
    await client.waitFor(({ value }) => value.result?.content?.[0]?.text === 'waited');
    await first;
    const again = await client.request('tools/call', call('t_echo', { text: 'x' }), '"a"');
    expect(again.value.result.content[0].text).toBe('talkative: x');
  });

  test('are cancelled by a notification: the upstream is told, and no answer follows', async () => {
    const { client, saw } = await start();
    client.write(
      `{"jsonrpc":"2.0","id":"gone","method":"tools/call","params":${JSON.stringify(call('t_wait', { ms: 20_000 }))}}`,
    );
    await seen(() => saw('call wait'));
    client.notify('notifications/cancelled', { requestId: 'other' });
    client.notify('notifications/cancelled', { requestId: 'gone', reason: 'é' });
    await seen(() => saw('notification notifications/cancelled'));
    expect(saw('"reason":"é"')).toHaveLength(1);
    await echoes(client, 'x');
    expect(client.messages.some(({ value }) => value.id === 'gone')).toBe(false);
    expect(saw('notification notifications/cancelled')).toHaveLength(1);
  });

  test('are cancelled when the client leaves, also those that wait for its answer', async () => {
    const { client, child, saw } = startProcess();
    const asked = await client.request('tools/call', call('t_elicit', { text: '?' }));
    expect(asked.value.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const exited = once(child, 'exit');
    client.end();
    expect(await exited).toEqual([0, null]);
    expect(saw('notification notifications/cancelled')).toHaveLength(1);
  });
});

test('a question is answered by a second try under another id', async () => {
  const { client, saw } = await start();
  const { value } = await client.request('tools/call', call('t_elicit', { text: 'who?' }));
  const { requestState, inputRequests } = value.result;
  const [key] = Object.keys(inputRequests);
  const retry = { requestState, inputResponses: { [key!]: { action: 'accept', content: { name: 'Bo' } } } };
  const done = await client.request('tools/call', { ...call('t_elicit', { text: 'who?' }), ...retry });
  expect(JSON.parse(done.value.result.content[0].text)).toEqual(retry.inputResponses[key!]);
  expect(saw('call elicit')).toHaveLength(1);
});

describe('a stream of changes', () => {
  const wants = { notifications: { resourceSubscriptions: ['talkative://one'] } };
  const listen = (client: RawClient, id: string) =>
    client.write(
      `{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${JSON.stringify(modern(wants))}}`,
    );

  test('carries its id, spelt as it came, until it is cancelled', async () => {
    const { client, saw } = await start();
    await client.request('tools/list', modern());
    listen(client, '"é"');
    const ack = await client.waitFor(({ value }) => value.method === 'notifications/subscriptions/acknowledged');
    expect(ack.value.params).toEqual({ _meta: { [STAMP]: 'é' }, ...wants });
    await seen(() => saw('subscribe talkative://one'));
    await client.request('tools/call', call('t_touch', { uri: 'talkative://one' }));
    const told = await client.waitFor(({ value }) => value.method === 'notifications/resources/updated');
    expect(told.value.params).toEqual({ uri: 'talkative://one', _meta: { [STAMP]: 'é' } });
    client.notify('notifications/cancelled', { requestId: 'é' });
    await seen(() => saw('unsubscribe talkative://one'));
    await echoes(client, 'x');
    expect(client.messages.some(({ value }) => value.id === 'é')).toBe(false);
  });

  test('ends with an empty result when the gateway stops', async () => {
    const { client, child } = startProcess();
    await client.request('tools/list', modern());
    listen(client, '"é"');
    await client.waitFor(({ value }) => value.method === 'notifications/subscriptions/acknowledged');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const end = await client.waitFor(({ value }) => value.id === 'é');
    expect(end.value.result).toMatchObject({ resultType: 'complete', _meta: { [STAMP]: 'é' } });
    expect(await exited).toEqual([0, null]);
  });
});

describe('a long string that ends in no JSON, of which only the beginning is checked', () => {
  const LATE = `${'x'.repeat(5_000)}\\x`;
  const METHOD = '"method":"tools/call"';
  const request = (params: string) => `{"jsonrpc":"2.0","id":"late",${METHOD},"params":${params}}`;
  const meta = (capabilities: string, info: string) =>
    `"_meta":{"${KEY}protocolVersion":"2026-07-28","${KEY}clientCapabilities":${capabilities},"${KEY}clientInfo":${info}}`;

  test.each([
    ['the arguments', `{"name":"t_elicit","arguments":{"text":"${LATE}"},${meta('{"elicitation":{}}', '{}')}}`],
    ['the arguments of a legacy client', `{"name":"t_elicit","arguments":{"text":"${LATE}"}}`],
    [
      'the capabilities',
      `{"name":"t_elicit","arguments":{"text":"?"},${meta(`{"elicitation":{},"x":"${LATE}"}`, '{}')}}`,
    ],
    ['the name', `{"name":"t_elicit","arguments":{"text":"?"},${meta('{"elicitation":{}}', `{"name":"${LATE}"}`)}}`],
  ])('in %s: it does no harm to the gateway', async (what, late) => {
    const { client, child } = startProcess();
    const isLegacy = what.includes('legacy');
    if (isLegacy) await client.initialize({ elicitation: {} });
    const params = isLegacy ? {} : modern();
    await client.request('tools/list', params);
    client.write(request(late));
    await client.waitFor(({ value }) => value.id === 'late');
    const after = await client.request('tools/list', params);
    expect(after.value.result.tools.length).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
  });
});
