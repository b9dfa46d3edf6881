import path from 'node:path';
import { expect, test } from 'vitest';
import { connectTcp, dialTcp, recordedTcp } from '../../support/clients/tcp-clients.ts';
import { fixture, linesOf, startServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';

test('a gateway that is told to stop lets calls over TCP end, takes no more, and then closes the connections', async () => {
  const log = path.join(temporaryFolder(), 'log');
  const config = writeConfig({
    log: { level: 'info' },
    server: { tcp: '127.0.0.1:0' },
    lists: { graceMs: 20_000 },
    upstreams: { t: fixture('talkative', `--log=${log}`) },
  });
  const { child, env, stderr } = await startServe(config);
  const tcp = recordedTcp(env)!;
  const [busy, idle] = [await connectTcp(tcp), await connectTcp(tcp)];
  for (const client of [busy, idle]) await client.initialize();
  await busy.toolNames();
  const calls = Array.from({ length: 3 }, () => busy.callText('t_wait', { ms: 1_000 }));
  await expect.poll(() => linesOf(log).filter((line) => line.startsWith('call wait')).length).toBe(3);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await expect.poll(stderr).toContain('"event":"drain","calls":3');
  const late = await idle.call('t_echo', { text: 'late' });
  expect(late._meta['viaduct/gateway']).toMatchObject({ reason: 'cancelled', effect: 'none' });
  await expect(dialTcp(tcp)).rejects.toThrow('ECONNREFUSED');
  expect(await Promise.all(calls)).toEqual(['waited', 'waited', 'waited']);
  expect(await exited).toBe(0);
  expect(stderr()).toContain('"event":"drained","calls":0');
  await expect.poll(() => [busy, idle].map(({ socket }) => socket.readableEnded)).toEqual([true, true]);
  expect(linesOf(log).filter((line) => line.startsWith('call echo'))).toEqual([]);
});
