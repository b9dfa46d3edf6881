import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ContainerRecord } from '../../../../src/core/stores/container-records.ts';
import { type ContainerClient, Containers } from '../../../../src/process/containers/containers.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { type SpawnedTree, type SpawnOptions, spawnTree } from '../../../../src/process/spawn-tree.ts';
import { FakeDocker } from '../../../support/fake-docker.ts';
import { endChild } from '../../../support/processes.ts';

const POLLED = { timeout: 30_000 };
/** The exit code of a process that was killed. */
const KILLED = Promise.resolve(null);
/** A server that ends neither with its input nor at a signal. */
const DEAF = ['/bin/sh', '-c', "trap '' TERM INT; while :; do sleep 0.2; done"];

function setUp(records = new Map<string, ContainerRecord>()) {
  const problems: string[] = [];
  const containers = new Containers({
    records: {
      add: (record) => records.set(record.target.mark, record),
      remove: (mark) => records.delete(mark),
      all: () => [...records.values()],
    },
    environment: async (own) => own,
    // No machine is too busy to end a container in this time.
    endMs: 120_000,
    onProblem: (error) => problems.push((error as Error).message),
  });
  return { containers, records, problems };
}

const command = (docker: FakeDocker, ...args: string[]): SpawnOptions => ({
  file: docker.program,
  args,
  cwd: '/',
  env: { ...docker.env, TOKEN: 'secret' },
});

function start({ options }: ContainerClient): SpawnedTree {
  return spawnTree(options, new Reaper());
}

/** Starts a command, waits until its container runs, and kills the command. */
async function startAndKill(docker: FakeDocker, client: ContainerClient): Promise<void> {
  const before = docker.pids().length;
  const { child } = start(client);
  await expect.poll(() => docker.pids().length, POLLED).toBe(before + 1);
  await endChild(child, 'SIGKILL');
  // It belongs to its engine.
  expect(docker.pids()).toHaveLength(before + 1);
}

test('other commands are started as they are', async () => {
  const { containers, records } = setUp();
  expect(await containers.admit({ file: '/bin/cat', args: [], cwd: '/', env: {} })).toBeUndefined();
  expect(records.size).toBe(0);
});

test('a container ends with the process of its client, and is removed', async () => {
  const docker = new FakeDocker();
  const { containers, records, problems } = setUp();
  const client = (await containers.admit(command(docker, 'run', '-i', '--rm', '-e', 'TOKEN', ...DEAF)))!;
  expect(client.options.args.slice(3)).toEqual(['-i', '--rm', '-e', 'TOKEN', ...DEAF]);
  await startAndKill(docker, client);
  expect([...records.values()][0]?.engine.env).toEqual(docker.env);
  await client.end(KILLED);
  expect([docker.pids(), docker.containers(), records.size, problems]).toEqual([[], [], 0, []]);
});

test('a container without --rm is stopped, and stays as it is', async () => {
  const docker = new FakeDocker();
  const { containers } = setUp();
  const client = (await containers.admit(command(docker, 'container', 'run', '-i', '--name', 'mine', ...DEAF)))!;
  await startAndKill(docker, client);
  await client.end(KILLED);
  expect(docker.pids()).toEqual([]);
  expect(docker.containers().map(({ name }) => name)).toEqual(['mine']);
});

test("the containers of others are not touched, nor the user's own labels and cidfile", async () => {
  const docker = new FakeDocker();
  const { containers } = setUp();
  const own = ['--label', 'a=b', '--cidfile', `${docker.folder}/cid`];
  const [one, other] = [
    (await containers.admit(command(docker, 'run', '-i', '--rm', ...own, ...DEAF)))!,
    (await containers.admit(command(docker, 'run', '-i', '--rm', ...DEAF)))!,
  ];
  await startAndKill(docker, one);
  await startAndKill(docker, other);
  await one.end(KILLED);
  expect(docker.pids()).toHaveLength(1);
  await other.end(KILLED);
  expect(docker.commands()[0]).toEqual(expect.arrayContaining(own));
});

test('a container is found through sudo', async () => {
  const docker = new FakeDocker();
  const file = docker.addWrapper('sudo');
  const { containers, records } = setUp();
  const args = ['-n', docker.program, 'run', '-i', '--rm', ...DEAF];
  const client = (await containers.admit({ ...command(docker), file, args }))!;
  await startAndKill(docker, client);
  await client.end(KILLED);
  expect([docker.pids(), records.size]).toEqual([[], 0]);
});

test('a container that begins when its client is gone already is ended too', async () => {
  const docker = new FakeDocker();
  docker.misbehave('late');
  const { containers } = setUp();
  const client = (await containers.admit(command(docker, 'run', '-i', '--rm', ...DEAF)))!;
  const { child } = start(client);
  await expect.poll(() => docker.isAsked(), POLLED).toBe(true);
  await endChild(child, 'SIGKILL');
  await client.end(KILLED);
  await expect.poll(() => docker.containers(), POLLED).toEqual([]);
  expect(docker.commands().some(([name]) => name === 'kill' || name === 'rm')).toBe(true);
});

test('the next container of the same command begins when the one before is gone: its name may be fixed', async () => {
  const docker = new FakeDocker();
  const { containers } = setUp();
  const fixed = command(docker, 'run', '-i', '--rm', '--name', 'mine', ...DEAF);
  const first = (await containers.admit(fixed))!;
  await startAndKill(docker, first);
  const ended = first.end(KILLED);
  const second = (await containers.admit(fixed))!;
  expect(docker.containers()).toEqual([]);
  await ended;
  await startAndKill(docker, second);
  await second.end(KILLED);
});

test.runIf(process.platform === 'linux')(
  'a program in a container of somebody else ends, and the container does not',
  async () => {
    const docker = new FakeDocker();
    const box = start({ ...(await plain(docker, 'run', '-d', '--name', 'box', ...DEAF)) });
    await once(box.child, 'exit');
    await expect.poll(() => docker.pids().length, POLLED).toBe(1);
    const { containers, records, problems } = setUp();
    const args = ['exec', '-i', '-u', 'me', 'box', ...DEAF];
    const client = (await containers.admit(command(docker, ...args)))!;
    await startAndKill(docker, client);
    await client.end(KILLED);
    await expect.poll(() => docker.pids().length, POLLED).toBe(1);
    expect([docker.containers().length, records.size, problems]).toEqual([1, 0, []]);
  },
);

async function plain(docker: FakeDocker, ...args: string[]): Promise<ContainerClient> {
  return { options: command(docker, ...args), end: async () => undefined, forget: () => undefined };
}

test('where the engine does not run, nothing was started and nothing is kept', async () => {
  const docker = new FakeDocker();
  docker.misbehave('no-daemon');
  const { containers, records, problems } = setUp();
  const client = (await containers.admit(command(docker, 'run', '-i', '--rm', ...DEAF)))!;
  const { child } = start(client);
  const [code] = (await once(child, 'exit')) as [number];
  await client.end(Promise.resolve(code));
  expect([code, records.size, problems]).toEqual([125, 0, []]);
});

test('a process that could not be started leaves no record', async () => {
  const { containers, records } = setUp();
  const client = await containers.admit({ file: '/nowhere/docker', args: ['run', 'image'], cwd: '/', env: {} });
  expect(records.size).toBe(1);
  client?.forget();
  expect(records.size).toBe(0);
});

/** What a gateway has left that was killed: its records name a process that is not there. */
async function leftBehind(docker: FakeDocker) {
  const { containers, records } = setUp();
  const client = (await containers.admit(command(docker, 'run', '-i', '--rm', ...DEAF)))!;
  await startAndKill(docker, client);
  const [[mark, record]] = [...records] as [[string, ContainerRecord]];
  const ended = { ...record, holder: { ...record.holder, pid: 2 ** 22 + 1 } };
  return { mark, record, ended, client };
}

test('the next start ends what a killed gateway has left, before anything else is started', async () => {
  const docker = new FakeDocker();
  const { mark, ended } = await leftBehind(docker);
  const { containers, records, problems } = setUp(new Map([[mark, ended]]));
  const next = (await containers.admit(command(docker, 'run', '-i', '--rm', ...DEAF)))!;
  expect([docker.pids(), docker.containers(), problems]).toEqual([[], [], []]);
  expect([...records.keys()]).not.toContain(mark);
  next.forget();
});

test('what a gateway has that still runs, or one whose processes cannot be seen, is left to it', async () => {
  const docker = new FakeDocker();
  const { mark, record, ended, client } = await leftBehind(docker);
  for (const kept of [record, { ...ended, holder: { ...ended.holder, space: 'pid:[1]' } }]) {
    const { containers, records } = setUp(new Map([[mark, kept]]));
    await containers.sweep();
    expect([docker.pids().length, records.size]).toEqual([1, 1]);
  }
  await client.end(KILLED);
});

test.runIf(process.platform === 'linux')(
  'a process that has got the number of a killed gateway does not protect its containers',
  async () => {
    const docker = new FakeDocker();
    const { mark, record } = await leftBehind(docker);
    const { containers, records } = setUp(new Map([[mark, { ...record, holder: { ...record.holder, startedAt: 1 } }]]));
    await containers.sweep();
    expect([docker.pids(), records.size]).toEqual([[], 0]);
  },
);

test('what cannot be ended is told and tried again at the next start, for a month', async () => {
  const docker = new FakeDocker();
  const { mark, ended, client } = await leftBehind(docker);
  docker.misbehave('no-daemon');
  const { containers, records, problems } = setUp(new Map([[mark, ended]]));
  await containers.sweep();
  expect(problems).toEqual([expect.stringContaining('Cannot connect to the Docker daemon')]);
  expect(records.size).toBe(1);
  const old = setUp(new Map([[mark, { ...ended, startedAt: Date.now() - 31 * 86_400_000 }]]));
  await old.containers.sweep();
  expect([old.problems.length, old.records.size]).toEqual([1, 0]);
  await client.end(KILLED);
});
