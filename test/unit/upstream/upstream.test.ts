import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClientSession } from '../../../src/core/providers/provider.ts';
import type { StdioEntry } from '../../../src/core/settings/upstream-entry.ts';
import { NeedsAuthError } from '../../../src/upstream/transports/transport.ts';
import { Upstream } from '../../../src/upstream/upstream.ts';
import type { UpstreamOptions } from '../../../src/upstream/upstream-options.ts';
import { callOf, KeepingCaller, resourceCallOf } from './calls.ts';
import { entryOf } from './entries.ts';
import { fakeTime, realTime } from './fake-time.ts';
import { optionsOf } from './sharing/memory-pool.ts';
import { MemoryProgram } from './sharing/memory-server.ts';

beforeEach(fakeTime);
afterEach(realTime);

const settle = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms);

/** An upstream of a legacy program in memory, with the client A. */
function open(changes: Partial<StdioEntry> = {}, others: Partial<UpstreamOptions> = {}) {
  const program = new MemoryProgram();
  const entry = entryOf({ era: 'legacy', ...changes });
  let offers = 0;
  const session = { sessionId: 'A' } as ClientSession;
  const directory = { get: () => undefined, sole: () => session };
  const onOffer = () => void offers++;
  const upstream = new Upstream({ ...optionsOf(entry, { program, directory, onOffer }), ...others });
  return { program, upstream, entry, offers: () => offers };
}

async function start(changes: Partial<StdioEntry> = {}, others: Partial<UpstreamOptions> = {}) {
  const opened = open(changes, others);
  opened.upstream.start();
  await settle();
  return { ...opened, seen: () => opened.program.living[0]!.seen };
}

describe('an upstream', () => {
  test('offers its lists and says how it is once it is connected', async () => {
    const { upstream, offers } = open();
    expect([upstream.listing().tool, upstream.isKnown(), upstream.isLive()]).toEqual([[], false, false]);
    upstream.start();
    expect(upstream.isLive()).toBe(true);
    await settle();
    expect(upstream.listing().tool.map(({ ownName }) => ownName)).toEqual(['one']);
    expect([upstream.isKnown(), upstream.era(), upstream.instructions()]).toEqual([true, 'legacy', 'be kind']);
    expect(upstream.declared()).toMatchObject({ logging: {} });
    expect(upstream.status()).toMatchObject({ state: 'ready', counts: { tools: 1 }, serverInfo: { name: 'memory' } });
    expect(offers()).toBeGreaterThan(0);
  });

  test('tells why it was in trouble last until it is connected again', async () => {
    const { upstream, program } = await start();
    program.living[0]!.crash('it ended');
    expect(upstream.status()).toMatchObject({ state: 'backoff', lastError: 'it ended' });
    await settle(5_000);
    expect(upstream.status().state).toBe('ready');
    expect(upstream.status().lastError).toBeUndefined();
  });

  test('that is started by calls is started by one, and without a call only to learn what it offers', async () => {
    const { upstream, program } = await start({ restart: 'on-demand' });
    expect(program.began).toBe(1);
    await upstream.disconnect('by hand');
    upstream.start();
    await settle();
    expect(program.began).toBe(1);
    expect(upstream.isLive()).toBe(false);
  });

  test('that is disconnected is started again by a sync; one that is stopped never is', async () => {
    const { upstream, program } = await start();
    await upstream.disconnect('by hand');
    expect(await upstream.sync()).toMatchObject({ total: 1 });
    expect(program.began).toBe(2);
    await upstream.stop('its entry was removed');
    upstream.start();
    await expect(upstream.sync()).rejects.toThrow('up is stopped');
    expect(program.living).toEqual([]);
  });

  test('answers calls over its connection, and holds those that come before it is there', async () => {
    const { upstream } = open();
    const caller = new KeepingCaller('A');
    upstream.call(callOf('one', '{}', caller));
    expect(upstream.activity.hasOpenCalls).toBe(false);
    await settle();
    expect([caller.replies.length, caller.failures]).toEqual([1, []]);
  });

  test('takes over other rules, and is tried again where it has no connection', async () => {
    const { upstream, program } = await start();
    await upstream.disconnect('by hand');
    upstream.onRulesChanged();
    await settle();
    expect([program.began, upstream.isLive()]).toEqual([2, true]);
    upstream.onRulesChanged();
    await settle();
    expect(program.began).toBe(2);
  });

  test('withdraws the output schema of a tool whose result does not fit, and shows that once', async () => {
    const { upstream } = await start();
    upstream.onOutputMisfit('one', 'x is missing');
    upstream.onOutputMisfit('one', 'z is missing');
    expect(upstream.status().misfits).toEqual({ one: 'x is missing' });
    upstream.onMisfit('one', 'y is missing');
    expect(upstream.status().misfits).toEqual({ one: 'y is missing' });
  });
});

describe('the clients of an upstream', () => {
  test('subscribe once for all, and are forgotten when they end', async () => {
    const { upstream, program } = await start();
    for (const id of ['A', 'B']) upstream.call(resourceCallOf('resources/subscribe', 'r://a', new KeepingCaller(id)));
    await settle();
    expect(upstream.activity.subscribers()).toEqual(['A', 'B']);
    upstream.onSessionEnded('A');
    await settle();
    expect([upstream.activity.subscribers(), [...program.living[0]!.watched()]]).toEqual([['B'], ['r://a']]);
    upstream.call(resourceCallOf('resources/unsubscribe', 'r://a', new KeepingCaller('B')));
    await settle();
    expect([upstream.activity.subscribers(), [...program.living[0]!.watched()]]).toEqual([[], []]);
  });

  test('say which log messages they want, and those that have gone want none', async () => {
    const { upstream, seen } = await start();
    const told = () => seen().filter((method) => method === 'logging/setLevel').length;
    upstream.setLogLevel('A', 'debug');
    await settle();
    expect(told()).toBe(1);
    upstream.onSessionEnded('A');
    await settle();
    expect(told()).toBe(2);
  });

  test('raise the level by a call of 2026-07-28', async () => {
    const { upstream, seen } = await start();
    const caller = new KeepingCaller('A');
    const raising = { ...caller.client, era: 'modern', logLevel: 'debug' } as const;
    upstream.call({ ...callOf('one'), caller: Object.assign(new KeepingCaller('A'), { client: raising }) });
    await settle();
    expect(seen()).toContain('logging/setLevel');
  });

  test('have roots of which a legacy upstream hears where one client is alone', async () => {
    const { upstream, program } = await start();
    const notified: string[] = [];
    const { transport } = program.living[0]!;
    const { send } = transport;
    transport.send = (bytes) => {
      notified.push(bytes.toString());
      send(bytes);
    };
    upstream.onRootsChanged('B');
    upstream.onSessionReady('A');
    expect(notified).toEqual([]);
    upstream.onRootsChanged('A');
    expect(notified).toEqual([expect.stringContaining('notifications/roots/list_changed')]);
  });
});

describe('credentials that have changed', () => {
  const authorization = (isUsable: boolean) => ({
    prepare: async () => undefined,
    headers: () => ({}),
    onRefused: async () => undefined,
    reload: async () => isUsable,
  });

  test.each([
    [true, 2],
    [false, 1],
  ])('are tried where they may be used: %s', async (isUsable, attempts) => {
    const { transport } = optionsOf(entryOf());
    let opened = 0;
    const refusing = {
      open: async () => {
        opened++;
        throw new NeedsAuthError('log in');
      },
    };
    const { upstream } = await start(
      {},
      { transport: { ...transport, authorization: authorization(isUsable) }, transportFor: async () => refusing },
    );
    expect(upstream.status().state).toBe('needs-auth');
    await upstream.onCredentialsChanged();
    await settle();
    expect(opened).toBe(attempts);
  });
});
