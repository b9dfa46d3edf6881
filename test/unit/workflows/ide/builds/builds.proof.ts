import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteEnded } from '../../../../../src/core/processes/running-builds.ts';
import { openDatabase } from '../../../../../src/store/database/database.ts';
import { buildCommands, keepBuilds } from '../../../../../src/workflows/ide/builds/options.ts';
import { git, newRepository, realFolder } from '../../../../support/git-repository.ts';
import { callIn, ended, ideBuildsSetup } from '../../../../support/ide/ide-builds.ts';
import { isAlive } from '../../../../support/processes.ts';

const shell = (script: string, more: object = {}) => ({ command: ['/bin/sh', '-c', script], ...more });
const onlyProjects = (...ids: readonly string[]) => ({
  scope: { allowsProject: (id?: string) => id !== undefined && ids.includes(id) } as never,
});

describe('a named build', () => {
  test('runs in the folder of the client, under the names that git gives', async () => {
    const folder = newRepository();
    git(folder, 'checkout', '--quiet', '-b', 'feature/x');
    const { builds } = ideBuildsSetup({ all: shell('echo "$PWD $MODE"; cat; exit 3', { env: { MODE: 'fast' } }) });
    expect(builds.names).toEqual(['all']);
    const context = callIn(folder);
    const started = await builds.start('all', context);
    expect(started).toMatchObject({ repo: 'project', branch: 'feature/x', status: 'running' });
    expect(await ended(builds, started.id, context)).toMatchObject({ status: 'failed', exitCode: 3 });
    expect(await builds.logs(started.id, undefined, context)).toEqual([`${folder} fast`]);
  });

  test('runs in its own folder of the workspace, under its own names', async () => {
    const root = realFolder();
    mkdirSync(path.join(root, 'sub'));
    const { builds } = ideBuildsSetup({ all: shell('pwd', { cwd: 'sub', repo: 'mine', branch: 'b' }) }, { root });
    const context = callIn(undefined);
    const started = await builds.start('all', context);
    expect(started).toMatchObject({ repo: 'mine', branch: 'b' });
    expect(await ended(builds, started.id, context)).toMatchObject({ status: 'success', exitCode: 0 });
    expect(await builds.logs(started.id, 5, context)).toEqual([path.join(root, 'sub')]);
  });

  test('cannot leave the workspace', async () => {
    const root = realFolder();
    const { builds } = ideBuildsSetup(
      { up: shell('pwd', { cwd: '..' }), away: shell('pwd', { cwd: '/etc' }) },
      { root },
    );
    await expect(builds.start('up', callIn(root))).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
    await expect(builds.start('away', callIn(root))).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
    expect(await builds.list({}, callIn(root))).toEqual([]);
  });

  test('must be in the config', async () => {
    const { builds } = ideBuildsSetup({ one: shell('true'), two: shell('true') });
    for (const name of ['three', 'constructor', '__proto__'])
      await expect(builds.start(name, callIn(realFolder()))).rejects.toThrow(
        /has no build ".*" in workflows.ide.builds: it has one, two/,
      );
  });

  test('is not told of to a client that may not use the project of the folder', async () => {
    const folder = newRepository();
    const { builds } = ideBuildsSetup({ all: shell('sleep 60') });
    await builds.start('all', callIn(folder));
    await expect(builds.start('all', callIn(folder))).rejects.toThrow('runs in');
    await expect(builds.start('all', callIn(folder, onlyProjects('other')))).rejects.toMatchObject({
      code: 'OUTSIDE_PROJECTS',
    });
  });

  test('is not started for a client that may not use the project of the folder', async () => {
    const folder = newRepository();
    const { builds } = ideBuildsSetup({ all: shell('touch ran') });
    await expect(builds.start('all', callIn(folder, onlyProjects('other')))).rejects.toMatchObject({
      code: 'OUTSIDE_PROJECTS',
    });
    expect(await builds.list({}, callIn(folder))).toEqual([]);
  });

  test('whose program cannot be found says so; one that cannot be run is kept as failed', async () => {
    const folder = realFolder();
    writeFileSync(path.join(folder, 'bad'), '#!/nothing/there\n', { mode: 0o755 });
    const { builds } = ideBuildsSetup({ gone: { command: ['no-such-program-x'] }, bad: { command: ['./bad'] } });
    await expect(builds.start('gone', callIn(folder))).rejects.toThrow(/no-such-program-x.*not found/);
    await expect(builds.start('bad', callIn(folder))).rejects.toMatchObject({ code: 'PROCESS_FAILED' });
    const [bad, ...more] = await builds.list({}, callIn(folder));
    expect(more).toEqual([]);
    expect(bad).toMatchObject({ status: 'failed', command: './bad' });
    expect(await builds.logs(bad!.id, 5, callIn(folder))).toEqual([expect.stringContaining('could not be started')]);
  });

  test('runs once at a time in a folder, and the second start says which one runs', async () => {
    const [folder, other] = [realFolder(), realFolder()];
    const { builds } = ideBuildsSetup({ long: shell('exec sleep 300') });
    const both = await Promise.allSettled([builds.start('long', callIn(folder)), builds.start('long', callIn(folder))]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { id } = both.find((result) => result.status === 'fulfilled')!.value;
    await expect(builds.start('long', callIn(folder))).rejects.toThrow(`it is the build ${id}`);
    expect(await builds.start('long', callIn(other))).toMatchObject({ status: 'running' });
  });

  test('ends with its children after its time limit', async () => {
    const folder = realFolder();
    const { builds } = ideBuildsSetup({
      hang: shell('sleep 300 & echo $! > pid; echo begun; wait', { timeoutMs: 1_500 }),
    });
    const context = callIn(folder);
    const { id } = await builds.start('hang', context);
    expect(await ended(builds, id, context)).toMatchObject({ status: 'failed', exitCode: undefined });
    expect(await builds.logs(id, 5, context)).toEqual(['begun', expect.stringContaining('time limit of 1500 ms')]);
    expect(isAlive(Number(readFileSync(path.join(folder, 'pid'), 'utf8')))).toBe(false);
    expect((await builds.start('hang', context)).id).not.toBe(id);
  });

  test('is ended with its children by those who may see it, and not twice', async () => {
    const folder = newRepository();
    const { builds } = ideBuildsSetup({ long: shell('sleep 300 & echo $!; wait') });
    const context = callIn(folder);
    const { id } = await builds.start('long', context);
    await expect.poll(() => builds.logs(id, 1, context)).not.toEqual([]);
    const [pid] = await builds.logs(id, 1, context);
    await expect(builds.cancel(id, callIn(folder, onlyProjects('other')))).rejects.toMatchObject({
      code: 'BUILD_NOT_FOUND',
    });
    const { build, ...outcome } = await builds.cancel(id.toUpperCase(), context);
    expect(outcome).toEqual({ success: true, message: `The build ${id} has ended: cancelled` });
    expect(build).toMatchObject({ id, status: 'cancelled', endedMs: expect.any(Number) });
    expect(isAlive(Number(pid))).toBe(false);
    expect(await builds.logs(id, 9, context)).toEqual([pid, expect.stringContaining('the build was cancelled')]);
    expect(await builds.cancel(id, context)).toMatchObject({
      success: false,
      message: `The build ${id} had ended before: cancelled`,
    });
    expect((await builds.start('long', context)).id).not.toBe(id);
  });

  test('of another workflow or gateway is not ended here, and the message says where', async () => {
    const folder = realFolder();
    const { builds, home } = ideBuildsSetup({ long: shell('exec sleep 300') });
    const context = callIn(folder);
    const { id } = await builds.start('long', context);
    const { builds: other } = ideBuildsSetup({}, { home });
    expect(await other.cancel(id, context)).toMatchObject({
      success: false,
      build: { id, status: 'running' },
      message: expect.stringContaining('process_stop'),
    });
    noteEnded(id);
    const database = openDatabase({ home });
    await database.run(({ queries }) =>
      queries.updateTable('builds').set({ machine: 'm', host: 'far', runner: null }).execute(),
    );
    await database.close();
    expect((await other.cancel(id, context)).message).toContain('runs in another gateway on far');
  });

  test('that is just being started when the workflow stops is ended as well, and kept', async () => {
    const folder = newRepository();
    const { builds, home, stop } = ideBuildsSetup({ long: shell('exec sleep 300') });
    const starting = builds.start('long', callIn(folder)).catch(() => undefined);
    await expect.poll(() => builds.list({}, callIn(folder)), { interval: 1 }).toHaveLength(1);
    await stop();
    await starting;
    const { builds: later } = ideBuildsSetup({}, { home });
    expect(await later.list({}, callIn(folder))).toMatchObject([{ status: expect.stringMatching(/cancelled|failed/) }]);
  });

  test('shows no secret of the config in its log', async () => {
    const folder = realFolder();
    const mask = (text: string) => text.replaceAll('plainword', '[secret]');
    const { builds } = ideBuildsSetup({ all: shell('echo "<$MODE>"', { env: { MODE: 'plainword' } }) }, { mask });
    const context = callIn(folder);
    const { id } = await builds.start('all', context);
    await ended(builds, id, context);
    expect(await builds.logs(id, 5, context)).toEqual(['<[secret]>']);
  });

  test('is cancelled when the workflow stops', async () => {
    const folder = realFolder();
    const { builds, home, stop } = ideBuildsSetup({ long: shell('echo $$; exec sleep 300') });
    const context = callIn(folder);
    const { id } = await builds.start('long', context);
    await expect.poll(() => builds.logs(id, 1, context)).not.toEqual([]);
    const [pid] = await builds.logs(id, 1, context);
    await stop();
    expect(isAlive(Number(pid))).toBe(false);
    const { builds: later } = ideBuildsSetup({}, { home });
    expect(await later.get(id, context)).toMatchObject({ status: 'cancelled' });
    expect(await later.logs(id, 9, context)).toEqual([pid, expect.stringContaining('cancelled')]);
  });
});

test('a client sees the builds of projects that it may use, and no others', async () => {
  const [one, two] = [newRepository(), newRepository()];
  const { builds } = ideBuildsSetup({ all: shell('true') });
  const first = await builds.start('all', callIn(one));
  const second = await builds.start('all', callIn(two));
  const mine = callIn(one, onlyProjects(first.projectId!));
  expect((await builds.list({}, callIn(one))).map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await builds.list({ limit: 1 }, callIn(one))).map(({ id }) => id)).toEqual([second.id]);
  expect((await builds.list({ repo: 'project' }, mine)).map(({ id }) => id)).toEqual([first.id]);
  expect(await builds.list({ repo: 'other' }, mine)).toEqual([]);
  expect(await builds.get(first.id.toUpperCase(), mine)).toMatchObject({ id: first.id });
  for (const id of [second.id, '../../etc/passwd', '']) {
    await expect(builds.get(id, mine)).rejects.toMatchObject({ code: 'BUILD_NOT_FOUND' });
    await expect(builds.logs(id, 1, mine)).rejects.toMatchObject({ code: 'BUILD_NOT_FOUND' });
  }
  expect((await builds.since([second.projectId!], 0)).map(({ id }) => id)).toEqual([second.id]);
  expect(await builds.since(undefined, Date.now() + 60_000)).toEqual([]);
});

test('the config is checked', () => {
  expect(keepBuilds.parse(undefined)).toBe(100);
  for (const count of [0, 1_001, 1.5]) expect(keepBuilds.safeParse(count).success).toBe(false);
  expect(buildCommands.safeParse({ 'a b': { command: ['x'] } }).success).toBe(false);
  expect(buildCommands.safeParse({ a: { command: [] } }).success).toBe(false);
  expect(buildCommands.safeParse({ a: { command: 'make all' } }).success).toBe(false);
  expect(buildCommands.safeParse({ a: { command: ['x'], env: { 'A=B': 'x' } } }).success).toBe(false);
  expect(buildCommands.parse({ a: { command: ['make', 'all'] } })).toEqual({
    a: { command: ['make', 'all'], cwd: '.', timeoutMs: 1_800_000, env: {} },
  });
});
