import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EntryKind, Provider } from '../../../../src/core/providers/provider.ts';
import { JsonTextError } from '../../../../src/wire/json-error.ts';
import { modernSetup, read } from '../modern-setup.ts';

afterEach(() => void vi.useRealTimers());

const LISTEN = { notifications: { toolsListChanged: true } };

describe('a modern client that is sent away', () => {
  test('has its streams ended with a result, its calls cancelled, and is not in the list any more', async () => {
    const { request, call, client, provider, sessions } = modernSetup();
    const ended: string[] = [];
    Object.assign(provider, { onSessionEnded: (id: string) => ended.push(id) });
    const stream = request('subscriptions/listen', LISTEN);
    call();
    expect(sessions.all()).toContain(client);
    client.hangUp('its profile is gone');
    expect(await stream.answered).toHaveProperty('result');
    expect(provider.last.cancelled).toBe('"the client has disconnected"');
    expect([sessions.all(), ended.at(-1)]).toEqual([[], 'http']);
    client.end();
    expect(ended.filter((id) => id === 'http')).toHaveLength(1);
  });

  test('has its streams closed without a result where it has gone itself', () => {
    const { request, client } = modernSetup();
    const stream = request('subscriptions/listen', LISTEN);
    client.end();
    expect([stream.isAbandoned, stream.replies]).toEqual([true, 0]);
  });
});

test('a modern client is active while it has a call or a stream open', async () => {
  const { request, call, client, provider, sessions } = modernSetup();
  expect([client.isActive, sessions.shown()]).toEqual([false, []]);
  const asked = call();
  expect([client.isActive, sessions.shown()]).toEqual([true, [client]]);
  provider.last.answer('done');
  await asked.answered;
  expect(client.isActive).toBe(false);
  const stream = request('subscriptions/listen', LISTEN);
  expect([client.isActive, client.openCalls]).toEqual([true, 0]);
  stream.open?.cancel();
  expect(client.isActive).toBe(false);
});

test('one program on a pipe is shown also while it wants nothing', () => {
  const { client, sessions } = modernSetup({ isOneProgram: true });
  expect([client.isActive, sessions.shown()]).toEqual([false, [client]]);
});

test('a call that waits for input is no open call', async () => {
  const { call, client, provider } = modernSetup();
  const asked = call();
  expect(client.openCalls).toBe(1);
  provider.last.elicit('your name?');
  await asked.answered;
  expect([client.openCalls, client.isActive]).toEqual([0, true]);
});

test('a client has its share of the calls again with each call that ends, however it ends', async () => {
  const { client, call, provider } = modernSetup({ isOneProgram: true, callsPerClient: 1 });
  const denial = () => client.denialOf(read('{"jsonrpc":"2.0","id":9,"method":"tools/call"}'));
  const first = call();
  expect(denial()).toBe('client-full');
  provider.last.answer('done');
  await first.answered;
  expect(denial()).toBeUndefined();
  const second = call();
  second.open!.cancel();
  expect([denial(), second.isAbandoned, second.replies]).toEqual([undefined, true, 0]);
});

describe('a request that cannot be served', () => {
  const broken = (error: Error) => {
    const setup = modernSetup();
    const logged: string[] = [];
    Object.assign(setup.host.log, { error: (_facts: object, text: string) => logged.push(text) });
    const fail = () => {
      throw error;
    };
    Object.assign(setup.host, { router: { call: fail }, catalogue: setup.host.catalogue });
    return { ...setup, logged };
  };

  test('is answered with the fault in its JSON, if it has one', async () => {
    const { call, logged } = broken(new JsonTextError('too long a number', 3));
    expect(await call().answered).toMatchObject({
      error: { code: -32700, message: expect.stringMatching(/^Parse error: too long a number/) },
    });
    expect(logged).toEqual([]);
  });

  test('is answered and logged, if the gateway has a fault', async () => {
    const { call, logged } = broken(new Error('broken'));
    expect(await call().answered).toMatchObject({ result: { isError: true } });
    expect(logged).toEqual(['a fault of the gateway while it handled a message']);
  });

  test('is answered and logged, also if that shows only later', async () => {
    const { request, host } = modernSetup();
    const logged: string[] = [];
    Object.assign(host.log, { error: (_facts: object, text: string) => logged.push(text) });
    Object.assign(host.catalogue, { whenKnown: () => Promise.reject(new Error('broken')) });
    expect(await request('tools/list', {}).answered).toHaveProperty('error');
    expect(logged).toEqual(['a fault of the gateway while it answered']);
  });
});

describe('a stream of changes', () => {
  test('cannot be asked anything', async () => {
    const { request, provider } = modernSetup();
    request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://a'] } });
    provider.last.elicit('your name?');
    expect(provider.last.answers).toEqual(['CAPABILITY_MISSING: A stream of changes cannot be asked anything']);
  });

  test('asks again for a resource that its provider has lost', async () => {
    const { request, provider, sessions } = modernSetup();
    const asked = request('subscriptions/listen', { notifications: { resourceSubscriptions: ['x://a'] } });
    const { sessionId } = provider.last.call.caller;
    provider.last.answer('yes');
    await expect.poll(() => asked.events.length).toBe(1);
    sessions.get(sessionId)!.onSubscriptionsLost(provider);
    expect(provider.calls.map(({ call }) => call.text.message.method)).toEqual([
      'resources/subscribe',
      'resources/subscribe',
    ]);
    sessions.get(sessionId)!.onSubscriptionsLost({} as Provider);
    expect(provider.calls).toHaveLength(2);
  });

  test('tells its providers when it ends', () => {
    const { request, provider } = modernSetup();
    const ended: string[] = [];
    Object.assign(provider, { onSessionEnded: (id: string) => ended.push(id) });
    const asked = request('subscriptions/listen', LISTEN);
    asked.open?.cancel();
    asked.open?.cancel();
    expect(ended).toHaveLength(1);
  });

  test.each(['closed by its client', 'ended by the gateway'])('tells nothing more once it is %s', (how) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { request, client, sessions, host } = modernSetup();
    const asked = request('subscriptions/listen', LISTEN);
    const tools: ReadonlySet<EntryKind> = new Set(['tool']);
    for (let count = 0; count < 10; count++) sessions.onCatalogueChange(host.catalogue, tools);
    const told = asked.events.length;
    expect([told > 1, vi.getTimerCount()]).toEqual([true, 1]);
    if (how === 'closed by its client') asked.open!.cancel();
    else client.endListeners();
    sessions.onCatalogueChange(host.catalogue, tools);
    vi.advanceTimersByTime(10_000);
    expect(asked.events).toHaveLength(told);
  });
});
