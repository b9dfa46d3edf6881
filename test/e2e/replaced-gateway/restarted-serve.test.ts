import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture, linesOf, startServe, startStdio, temporaryFolder, upstreams } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

/** A client of `viaduct stdio` that is attached to a `viaduct serve`, which can be killed and started again. */
async function attached(capabilities: object = {}) {
  const log = path.join(temporaryFolder(), 'log');
  const config = upstreams({ t: fixture('talkative', `--log=${log}`) });
  let serving = await startServe(config);
  const { env } = serving;
  const spawned = startStdio(config, env);
  const { client } = spawned;
  await client.initialize(capabilities);
  await expect.poll(() => client.toolNames()).toContain('t_echo');
  const kill = () => endChild(serving.child, 'SIGKILL');
  const start = async () => {
    serving = await startServe(config, env);
  };
  const calls = () => linesOf(log).filter((line) => line.startsWith('call wait')).length;
  return { ...spawned, kill, start, calls };
}

test('a client goes on when its gateway was killed and started again, and each open call is answered once', async () => {
  const { client, kill, start, calls } = await attached();
  const open = client.request('tools/call', { name: 't_wait', arguments: { ms: 60_000 } }, '"open"');
  await expect.poll(calls).toBe(1);
  await kill();
  const { value } = await open;
  expect(value.result).toMatchObject({
    isError: true,
    _meta: { 'viaduct/gateway': { reason: 'exited', retryable: true, effect: 'unknown' } },
  });
  const inTheGap = client.callText('t_echo', { text: 'said in the gap' });
  const list = client.toolNames();
  await start();
  expect(await inTheGap).toBe('talkative: said in the gap');
  expect(await list).toContain('t_echo');
  expect(await client.callText('t_echo', { text: 'after it' })).toBe('talkative: after it');
  for (const kind of ['tools', 'prompts', 'resources'])
    expect(client.notifications(`notifications/${kind}/list_changed`).length).toBeGreaterThan(0);
  expect(client.messages.filter((message) => message.value.id === 'open')).toHaveLength(1);
  expect(client.messages.filter((message) => message.value.result?.serverInfo !== undefined)).toHaveLength(1);
});
