import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectToDaemon } from '../../../src/gateway/serving/daemon-record.ts';
import { daemonPaths } from '../../../src/gateway/settings/paths.ts';
import { RawClient } from '../../support/clients/raw-client.ts';
import {
  connectStdio,
  fixture,
  linesOf,
  openServe,
  openStdio,
  type Serving,
  startStdio,
  temporaryFolder,
  viaduct,
  writeConfig,
} from '../../support/gateway.ts';
import { eventsOf, exchange, HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient, messagesOf } from '../../support/http/modern-http-client.ts';

const tools = (...names: string[]) => JSON.stringify(names.map((name) => ({ name, inputSchema: { type: 'object' } })));

interface Site {
  readonly serving: Serving;
  readonly config: string;
  readonly log: string;
  /** Gives an upstream other tools. */
  readonly change: (upstream: 'a' | 'b', ...names: string[]) => void;
  /** Writes other profiles into the config. */
  readonly rewrite: (profiles: object) => void;
}

/** A gateway before two upstreams whose tools change, and one that has everything. */
async function start(profiles: object): Promise<Site> {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder, `${name}.json`);
  const change = (upstream: string, ...names: string[]) => writeFileSync(file(upstream), tools(...names));
  change('a', 'one', 'two');
  change('b', 'one');
  const log = path.join(folder, 'log');
  const config = {
    upstreams: {
      a: fixture('changing', `--tools=${file('a')}`),
      b: fixture('changing', `--tools=${file('b')}`),
      t: fixture('talkative', `--log=${log}`),
    },
    lists: { graceMs: 20_000 },
  };
  const written = writeConfig({ ...config, profiles }, folder);
  const serving = await openServe(written);
  // That the first lists have come is no change that those who come now should hear of.
  await (await HttpSession.open(serving.url)).toolNames();
  return {
    config: written,
    log,
    serving,
    change,
    rewrite: (other) => void writeConfig({ ...config, profiles: other }, folder),
  };
}

/** Takes the messages of a stream one by one. */
function reader(stream: AsyncGenerator<any>, fits: (message: any) => boolean) {
  const seen: string[] = [];
  const next = async (): Promise<any> => {
    for (;;) {
      const { value, done } = await stream.next();
      if (done === true) return undefined;
      seen.push(value.method ?? 'answer');
      if (fits(value)) return value;
    }
  };
  return { seen, next };
}

async function* dataOf(response: IncomingMessage) {
  for await (const { data } of eventsOf(response)) if (data !== undefined) yield data;
}

const isToolsChanged = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';

async function legacyListener(url: string) {
  const session = await HttpSession.open(url);
  await session.toolNames();
  return { session, ...reader(dataOf(await session.listen()), isToolsChanged) };
}

async function modernListener(url: string) {
  const client = new ModernHttpClient(url);
  const open = client.open('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const stream = reader(messagesOf(await open.response), () => true);
  expect((await stream.next()).method).toBe('notifications/subscriptions/acknowledged');
  return { client, ...stream };
}

const PROFILES = { 'only-a': { upstreams: ['a'] }, other: { upstreams: ['b', 't'] } };

describe('a change', () => {
  test('is told to those who see it, and to nobody else', async () => {
    const { serving, change } = await start(PROFILES);
    const all = await legacyListener(serving.url);
    const legacy = await legacyListener(`${serving.url}/only-a`);
    const modern = await modernListener(`${serving.url}/only-a`);
    change('b', 'one', 'more');
    await all.next();
    change('a', 'one');
    await Promise.all([all.next(), legacy.next(), modern.next()]);
    expect(legacy.seen).toEqual(['notifications/tools/list_changed']);
    expect(modern.seen).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
    expect(await legacy.session.toolNames()).toEqual(['a_one']);
  });

  test('of a profile is told to its clients: what they see is new at once', async () => {
    const { serving, config, rewrite } = await start(PROFILES);
    const all = await connectStdio(config, { env: serving.env });
    const legacy = await legacyListener(`${serving.url}/only-a`);
    const modern = await modernListener(`${serving.url}/only-a`);
    expect(await legacy.session.toolNames()).toEqual(['a_one', 'a_two']);
    rewrite({ ...PROFILES, 'only-a': { upstreams: ['a', 'b'], tools: { deny: ['a_two'] } } });
    await Promise.all([legacy.next(), modern.next()]);
    expect(await legacy.session.toolNames()).toEqual(['a_one', 'b_one']);
    expect(await legacy.session.callText('b_one')).toBe('called one');
    expect((await modern.client.call('a_two')).json.error.message).toBe('Unknown tool: a_two');
    expect(await all.toolNames()).toContain('a_two');
    expect(all.notifications('notifications/tools/list_changed')).toEqual([]);
  });

  test('of a profile ends what its clients had of an upstream that they do not see any more', async () => {
    const { serving, rewrite, log } = await start(PROFILES);
    const { session, next } = await legacyListener(`${serving.url}/other`);
    await session.post(session.request('resources/subscribe', { uri: 'talkative://one' }));
    rewrite({ ...PROFILES, other: { upstreams: ['b'] } });
    await next();
    await expect.poll(() => linesOf(log)).toContain('unsubscribe talkative://one');
  });
});

describe('a profile that is removed', () => {
  test('takes its sessions and its path with it; others go on', async () => {
    const { serving, config, rewrite } = await start(PROFILES);
    const url = `${serving.url}/only-a`;
    const legacy = await legacyListener(url);
    const modern = await modernListener(url);
    const stdio = startStdio(config, serving.env, { words: ['--profile', 'only-a'] });
    await stdio.client.initialize();
    const other = await HttpSession.open(`${serving.url}/other`);
    rewrite({ other: PROFILES.other });
    expect(await legacy.next()).toBeUndefined();
    expect(await modern.next()).toMatchObject({ result: { resultType: 'complete' } });
    const [code] = await once(stdio.child, 'exit');
    expect(code).toBe(1);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await exchange(url, { headers: legacy.session.headers, body: ping })).status).toBe(404);
    expect((await modern.client.post('tools/list')).status).toBe(404);
    expect(await other.toolNames()).toContain('b_one');
    rewrite(PROFILES);
    await expect.poll(async () => (await modern.client.post('tools/list')).status).toBe(200);
    expect((await exchange(url, { headers: legacy.session.headers, body: ping })).status).toBe(404);
  });
});

describe('the profile "default"', () => {
  test('is for whoever names none; the user’s own commands see everything', async () => {
    const { serving, config } = await start({ default: { upstreams: ['a'] }, all: {} });
    const { env, url } = serving;
    const own = ['a_one', 'a_two'];
    expect(await (await HttpSession.open(url)).toolNames()).toEqual(own);
    expect(await (await HttpSession.open(`${url}/default`)).toolNames()).toEqual(own);
    expect(await (await HttpSession.open(`${url}/all`)).toolNames()).toContain('b_one');
    expect(await (await connectStdio(config, { env })).toolNames()).toEqual(own);
    expect(await (await connectStdio(config)).toolNames()).toEqual(own);
    expect((await viaduct(['tools', '--config', config], env)).stdout).toContain('b_one');
  });

  test('limits whoever is connected when it is written', async () => {
    const { serving, config, rewrite } = await start({});
    const { next, session } = await legacyListener(serving.url);
    const stdio = await connectStdio(config, { env: serving.env });
    expect(await stdio.toolNames()).toContain('b_one');
    rewrite({ default: { upstreams: ['a'] } });
    await Promise.all([next(), stdio.waitFor(({ value }) => isToolsChanged(value))]);
    expect(await session.toolNames()).toEqual(['a_one', 'a_two']);
    expect(await stdio.toolNames()).toEqual(['a_one', 'a_two']);
  });
});

test('whoever says on the local socket that its profile is one that there is not gets nothing', async () => {
  const { serving, config } = await start(PROFILES);
  for (const params of [{ profile: 'nope' }, { profile: null }, {}]) {
    const { socket } = (await connectToDaemon(daemonPaths(serving.env.VIADUCT_HOME!, config)))!;
    socket.on('end', () => socket.end());
    const client = new RawClient(socket, socket);
    client.notify('notifications/viaduct/profile', params);
    await expect(client.request('tools/list')).rejects.toThrow('closed');
  }
});

test('a client of a profile cannot leave it, nor use what is for the user alone', async () => {
  const { serving, config } = await start(PROFILES);
  const client = await openStdio(config, serving.env, 'only-a');
  client.notify('notifications/viaduct/profile', { profile: 'other' });
  await client.initialize();
  client.notify('notifications/viaduct/profile', { profile: 'other' });
  expect(await client.toolNames()).toEqual(['a_one', 'a_two']);
  for (const method of ['viaduct/status', 'viaduct/sync', 'viaduct/why', 'viaduct/pins/accept'])
    expect((await client.request(method, { upstream: 'b', tool: 'b_one' })).value.error.code).toBe(-32601);
});
