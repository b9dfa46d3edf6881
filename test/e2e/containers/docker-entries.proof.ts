import { describe, expect, test } from 'vitest';
import { FakeDocker, image } from '../../support/fake-docker.ts';
import { connectStdio, freshHome, openServe, startServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';

const POLLED = { timeout: 60_000 };

/** An entry as the pages of servers have it. `deaf` ends neither with its input nor at a signal. */
const entry = (docker: FakeDocker, kind: 'polite' | 'deaf') => ({
  command: 'docker',
  args: [
    'run',
    '-i',
    '--rm',
    '-e',
    'TOKEN',
    ...(kind === 'deaf' ? image('survivor', '--kind=deaf') : image('hostile')),
  ],
  env: { ...docker.env, TOKEN: 'x' },
});

const counts = (docker: FakeDocker) => [docker.pids().length, docker.containers().length];

describe.each(['polite', 'deaf'] as const)('the container of an entry (%s server)', (kind) => {
  test('is gone when the only client has left', async () => {
    const docker = new FakeDocker();
    const client = await connectStdio(
      writeConfig({ upstreams: { box: entry(docker, kind) }, lists: { graceMs: 20_000 } }),
    );
    await client.toolNames();
    expect(counts(docker)).toEqual([1, 1]);
    client.end();
    await expect.poll(() => counts(docker), POLLED).toEqual([0, 0]);
  });

  test('is gone when the entry has left the config', async () => {
    const docker = new FakeDocker();
    const folder = temporaryFolder();
    const config = writeConfig({ upstreams: { box: entry(docker, kind) } }, folder);
    await openServe(config);
    await expect.poll(() => counts(docker), POLLED).toEqual([1, 1]);
    writeConfig({ upstreams: {} }, folder);
    await expect.poll(() => counts(docker), POLLED).toEqual([0, 0]);
  });
});

test('a container that a killed gateway has left is replaced by one at the next start', async () => {
  const docker = new FakeDocker();
  const env = freshHome();
  const config = writeConfig({ upstreams: { box: entry(docker, 'deaf') } });
  const { child } = await startServe(config, env);
  await expect.poll(() => counts(docker), POLLED).toEqual([1, 1]);
  const [left] = docker.pids();
  await endChild(child, 'SIGKILL');
  await openServe(config, env);
  await expect.poll(() => docker.pids(), POLLED).not.toContain(left);
  await expect.poll(() => counts(docker), POLLED).toEqual([1, 1]);
});
