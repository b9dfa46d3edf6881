import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RawClient } from '../../support/clients/raw-client.ts';
import {
  fixture,
  freshHome,
  linesOf,
  PATIENT_LISTS,
  startStdio,
  temporaryFolder,
  writeConfig,
} from '../../support/gateway.ts';
import { endChild, isAlive } from '../../support/processes.ts';

const LIST_CHANGED = 'notifications/tools/list_changed';
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** A gateway over a home that it keeps, before one server whose tools are those of a file. */
function setup(rules: object = {}) {
  const folder = temporaryFolder();
  const tools = path.join(folder, 'tools.json');
  writeFileSync(tools, JSON.stringify([tool('one')]));
  const log = path.join(folder, 'starts.log');
  const up = { ...fixture('changing', `--tools=${tools}`, `--log=${log}`), ...rules };
  const config = writeConfig({ enabledWorkflows: ['gateway'], upstreams: { up }, lists: PATIENT_LISTS }, folder);
  const env = freshHome();
  const run = async (work: (client: RawClient) => Promise<void>) => {
    const { client, child } = startStdio(config, env);
    await client.initialize();
    await client.toolNames();
    await work(client);
    await endChild(child);
  };
  /** The processes of the server so far. */
  const pids = () => linesOf(log).map(Number);
  return { tools, run, pids };
}

async function upstreamOf(client: RawClient) {
  return (await client.call('viaduct_status')).structuredContent.upstreams[0];
}

const own = (names: readonly string[]) => names.filter((name) => name.startsWith('up_'));

test('a server whose lists are known is not started before the first call', async () => {
  const { run, pids } = setup();
  await run(async (client) => {
    expect(await upstreamOf(client)).toMatchObject({ state: 'ready' });
  });
  expect(pids()).toHaveLength(1);
  await run(async (client) => {
    expect(own(await client.toolNames())).toEqual(['up_one']);
    const waiting = await upstreamOf(client);
    expect(waiting).toMatchObject({ state: 'idle', reason: 'not started yet; it starts with the first call' });
    expect(pids()).toHaveLength(1);
    const calls = Array.from({ length: 20 }, () => client.callText('up_one'));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['called one']));
    await expect.poll(() => upstreamOf(client)).toMatchObject({ state: 'ready' });
    expect(pids()).toHaveLength(2);
    expect(client.notifications(LIST_CHANGED)).toEqual([]);
  });
});

test('clients are told if its lists turn out to be others', async () => {
  const { run, tools } = setup();
  await run(async () => undefined);
  writeFileSync(tools, JSON.stringify([tool('one'), tool('two')]));
  await run(async (client) => {
    expect(own(await client.toolNames())).toEqual(['up_one']);
    await client.callText('up_one');
    await client.waitFor(({ value }) => value.method === LIST_CHANGED);
    expect(own(await client.toolNames())).toEqual(['up_one', 'up_two']);
  });
});

test('an eager server is started with the gateway although its lists are known', async () => {
  const { run } = setup({ start: 'eager' });
  await run(async () => undefined);
  await run(async (client) => {
    await expect.poll(() => upstreamOf(client)).toMatchObject({ state: 'ready' });
  });
});

test('a server that is not used is stopped, keeps its tools and starts with the next call', async () => {
  const { run, pids } = setup({ idleStopMs: 300, stateless: true });
  await run(async (client) => {
    await client.callText('up_one');
    const told = client.notifications(LIST_CHANGED).length;
    const [pid] = pids();
    await expect
      .poll(() => upstreamOf(client))
      .toMatchObject({
        state: 'idle',
        reason: 'it was not used for 300 ms; it starts with the next call',
      });
    await expect.poll(() => isAlive(pid!)).toBe(false);
    expect(own(await client.toolNames())).toEqual(['up_one']);
    expect(await client.callText('up_one')).toBe('called one');
    expect(pids()).toHaveLength(2);
    expect(client.notifications(LIST_CHANGED)).toHaveLength(told);
  });
});
