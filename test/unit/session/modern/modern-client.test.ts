import { describe, expect, test } from 'vitest';
import { readEnvelope } from '../../../../src/era/modern/envelope.ts';
import type { CallInput } from '../../../../src/session/modern/call-input.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { paramsOf } from '../../../../src/wire/message.ts';
import { Asked, modernSetup, VERSION } from '../modern-setup.ts';

const STAMP = 'io.modelcontextprotocol/subscriptionId';

describe('a modern request', () => {
  test('learns of the gateway without any handshake', async () => {
    const { request } = modernSetup();
    expect(await request('server/discover', {}).answered).toMatchObject({
      result: {
        resultType: 'complete',
        supportedVersions: [VERSION],
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        ttlMs: 0,
        cacheScope: 'private',
      },
    });
  });

  test('of another revision hears which ones there are', async () => {
    const { request } = modernSetup();
    const asked = request('tools/list', {}, { meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } });
    expect(await asked.answered).toMatchObject({
      error: { code: -32022, data: { supported: [VERSION], requested: '2099-01-01' } },
    });
    expect(asked.status).toBe(400);
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such'])(
    '%s does not exist in this era',
    async (method) => {
      const asked = modernSetup().request(method, {});
      expect(await asked.answered).toMatchObject({ error: { code: -32601 } });
      expect(asked.status).toBe(404);
    },
  );

  test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    '%s says how long it may be kept, and knows no cursors',
    async (method) => {
      const { request } = modernSetup();
      expect(await request(method, {}).answered).toMatchObject({
        result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      });
      expect(await request(method, { cursor: 'x' }).answered).toMatchObject({ error: { code: -32602 } });
    },
  );
});

test('a client is known by the name that it gave last, in its own letters', () => {
  const { call, client } = modernSetup();
  call({}, { name: 'Zoë' });
  expect(client.clientInfo).toEqual({ name: 'Zoë' });
  call({}, { name: '名' });
  expect(client.clientInfo).toEqual({ name: '名' });
});

test('a call says the folder that came with its request, else none', () => {
  const { provider, call, client } = modernSetup();
  call();
  expect(provider.last.call.caller.client).toMatchObject({ era: 'modern', clientId: client.id, folder: undefined });
  const { text } = provider.last.call;
  const envelope = readEnvelope(text.message.frame, paramsOf(text.message));
  if ('problem' in envelope) throw new Error(envelope.problem);
  client.onRequest(text.message, envelope, new Asked(9), '/work');
  expect(provider.last.call.caller.client.folder).toEqual({ path: '/work', source: 'request' });
});

describe('a stream of changes', () => {
  test('says first what it will tell, and tells nothing else', async () => {
    const { request, sessions, host } = modernSetup();
    const asked = request('subscriptions/listen', {
      notifications: { toolsListChanged: true, promptsListChanged: false },
    });
    expect(asked.events).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [STAMP]: asked.id }, notifications: { toolsListChanged: true } },
      },
    ]);
    sessions.onCatalogueChange(host.catalogue, new Set(['prompt', 'resource']));
    expect(asked.events).toHaveLength(1);
    sessions.onCatalogueChange(host.catalogue, new Set(['tool', 'prompt']));
    expect(asked.events.slice(1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { [STAMP]: asked.id } } },
    ]);
  });

  test('tells of resources: the upstream is asked for them, and each message carries the stream', async () => {
    const { request, provider, sessions } = modernSetup();
    const asked = request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://a'] } });
    expect(provider.calls.map(({ call }) => [call.text.message.method, call.ownName])).toEqual([
      ['resources/subscribe', 'x://a'],
    ]);
    const { sessionId } = provider.last.call.caller;
    expect(asked.events).toEqual([]);
    provider.last.answer('yes');
    await expect.poll(() => asked.events.length).toBe(1);
    expect(asked.events[0]).toMatchObject({ params: { notifications: { resourceSubscriptions: ['x://a'] } } });
    const json = '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x://a","more":1}}';
    const at = json.indexOf('"x://a"');
    const frame = Frame.of(Buffer.from(json));
    sessions.get(sessionId)?.onResourceUpdated('x://a', frame, { start: at, end: at + 7 });
    expect(asked.events.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { _meta: { [STAMP]: asked.id }, uri: 'x://a', more: 1 },
    });
    asked.open?.cancel();
    expect(sessions.get(sessionId)).toBeUndefined();
  });

  test('promises no resource of which an upstream does not tell', async () => {
    const { request, provider } = modernSetup();
    const asked = request('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['x://a', 'x://b'] },
    });
    provider.calls[0]!.fail(-32602, 'no such resource');
    provider.calls[1]!.answer('yes');
    await expect.poll(() => asked.events.length).toBe(1);
    expect(asked.events[0]).toMatchObject({
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['x://b'] } },
    });
  });

  test('that closes early takes back what it has asked for', () => {
    const { request, provider } = modernSetup();
    const asked = request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://a'] } });
    expect(provider.last.cancelled).toBeUndefined();
    asked.open?.cancel();
    expect(provider.last.cancelled).toBe('no reason');
  });

  test('ends with an empty result when the gateway stops', async () => {
    const { request, client } = modernSetup();
    const asked = request('subscriptions/listen', { notifications: {} });
    client.endListeners();
    expect(await asked.answered).toEqual({
      jsonrpc: '2.0',
      id: asked.id,
      result: { resultType: 'complete', _meta: { [STAMP]: asked.id } },
    });
  });

  test.each([
    [true, 64],
    [false, 256],
  ])('is one of few (one program: %s, at most %i); one that ends makes room', async (isOneProgram, most) => {
    const { request } = modernSetup({ isOneProgram });
    const listen = () => request('subscriptions/listen', { notifications: {} });
    const open = Array.from({ length: most }, listen);
    expect(open.every(({ events }) => events.length === 1)).toBe(true);
    const refused = listen();
    expect(await refused.answered).toMatchObject({
      error: { code: -32603, message: expect.stringContaining(`${most}`) },
    });
    expect(refused.status).toBe(503);
    open[0]!.open?.cancel();
    expect(listen().events).toHaveLength(1);
  });

  test.each([
    [{}, '"params.notifications" must be an object'],
    [{ notifications: { toolsListChanged: 'yes' } }, 'toolsListChanged'],
    [{ notifications: { resourceSubscriptions: 'x://a' } }, 'resourceSubscriptions'],
  ])('is refused with a filter that is none: %j', async (params, problem) => {
    expect(await modernSetup().request('subscriptions/listen', params).answered).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(problem) },
    });
  });
});

test('a request about a task needs a place, whatever state it brings', async () => {
  const { request, parking, provider } = modernSetup({ calls: 0 });
  const state = parking.park({
    id: 'c',
    identity: 'i',
    digest: 'd',
    onGivenUp: () => undefined,
  } as unknown as CallInput);
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const asked = request('tasks/get', { taskId: 'held/1', requestState: state }, { capabilities });
  expect(await asked.answered).toMatchObject({ error: { message: expect.stringContaining('limits.calls') } });
  expect(provider.calls).toEqual([]);
});
