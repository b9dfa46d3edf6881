import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../../support/processes.ts';
import { processSetup } from './process-setup.ts';

const NODE = process.execPath;
/** Two processes that ignore SIGTERM, one of them in a session of its own; they say their numbers. */
const DEAF_TREE = "trap '' TERM; echo pid $$; setsid sh -c 'echo pid $$; exec sleep 300' & sleep 300 & wait; sleep 300";

const pidsIn = (output: string) => [...output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));

describe('a process', () => {
  test('gets its arguments as they are, without a shell', async () => {
    const { call, ended, output } = processSetup();
    const args = ['-e', 'console.log(process.argv.slice(1).join("|"))', '--', '$HOME', '; echo x', '*', ''];
    const { id, pid, startedAt } = await call('start', { command: NODE, args });
    expect(startedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const info = await ended(id);
    expect(info).toMatchObject({ id, pid, command: NODE, args, status: 'exited', exitCode: 0, startedAt });
    expect(Number.isInteger(info.duration) && info.duration > 1e6).toBe(true);
    expect(await output(id)).toBe('$HOME|; echo x|*|\n');
  });

  test('runs in the workspace or a folder of it', async () => {
    const { call, ended, output, folder } = processSetup();
    mkdirSync(path.join(folder, 'sub'));
    writeFileSync(path.join(folder, 'sub', 'run.sh'), '#!/bin/sh\npwd; echo $PWD; echo $0\n');
    chmodSync(path.join(folder, 'sub', 'run.sh'), 0o755);
    const { id } = await call('start', { command: 'pwd' });
    expect(await ended(id)).toMatchObject({ dir: folder });
    expect(await output(id)).toBe(`${folder}\n`);
    const second = await call('start', { command: './run.sh', dir: 'sub' });
    const sub = path.join(folder, 'sub');
    expect(await ended(second.id)).toMatchObject({ dir: sub });
    expect(await output(second.id)).toBe(`${sub}\n${sub}\n${sub}/run.sh\n`);
  });

  test('has the variables that it was given on top of a short environment', async () => {
    process.env.VIADUCT_TEST_SECRET = 'x';
    const { call, ended, output } = processSetup();
    const { id } = await call('start', { command: 'env', env: ['A=1=2', 'EMPTY=', 'A=2=3', 'TERM=t'] });
    await ended(id);
    const lines = (await output(id)).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['A=2=3', 'EMPTY=', 'TERM=t']));
    expect(lines.some((line) => line.startsWith('PATH='))).toBe(true);
    expect(lines.some((line) => line.includes('VIADUCT_TEST_SECRET'))).toBe(false);
    delete process.env.VIADUCT_TEST_SECRET;
  });

  test.each([
    ['no command', { command: '' }, 'command'],
    ['no such command', { command: 'no-such-program' }, 'not found. Searched: '],
    ['no such file', { command: './nothing' }, 'there is no file'],
    ['a folder', { command: './folder' }, 'is a folder, not a program'],
    ['a file that may not be run', { command: './text' }, 'may not be executed'],
    ['a program that is none', { command: './broken' }, 'could not be started'],
    ['a NUL in the command', { command: 'l\0s' }, 'NUL'],
    ['a NUL in an argument', { command: 'ls', args: ['\0'] }, 'NUL'],
    ['a NUL in the environment', { command: 'ls', env: ['A=\0'] }, 'NUL'],
    ['a variable without a value', { command: 'ls', env: ['A'] }, 'KEY=VALUE'],
    ['a variable without a name', { command: 'ls', env: ['=A'] }, 'KEY=VALUE'],
    ['arguments that are too long', { command: 'ls', args: ['x'.repeat(3_000_000)] }, 'could not be started'],
    ['a folder that is none', { command: 'ls', dir: 'text' }, 'text'],
    ['a folder that is not there', { command: 'ls', dir: 'nowhere' }, 'nowhere'],
    ['a folder outside', { command: 'ls', dir: '../' }, 'leads out of the workspace'],
    ['another root', { command: 'ls', dir: '/etc' }, '/etc'],
  ])('is not started of %s', async (_what, args, words) => {
    const { call, folder } = processSetup();
    mkdirSync(path.join(folder, 'folder'));
    writeFileSync(path.join(folder, 'text'), 'x');
    writeFileSync(path.join(folder, 'broken'), '#!/no/such/interpreter\n');
    chmodSync(path.join(folder, 'broken'), 0o755);
    const failed = await call('start', args);
    expect(failed.message).toContain(words);
    expect(failed.code).toMatch(/^(INVALID_ARGUMENTS|PROCESS_FAILED|OUTSIDE_WORKSPACE|FILE_FAILED)$/);
    expect(await call('list')).toEqual({ processes: [], total: 0 });
  });

  test('is not started where the config denies its command', async () => {
    const { call } = processSetup({ deny: ['sh'] });
    expect(await call('start', { command: 'sh' })).toMatchObject({ code: 'COMMAND_DENIED' });
    expect(await call('list')).toEqual({ processes: [], total: 0 });
  });

  test('says how it ended', async () => {
    const { shell, ended } = processSetup();
    expect(await ended(await shell('exit 3'))).toMatchObject({ status: 'exited', exitCode: 3 });
    expect(await ended(await shell('kill -KILL $$'))).toMatchObject({ status: 'killed', exitCode: -1 });
  });

  test('that has ended takes with it what it has left behind', async () => {
    const { shell, ended, output } = processSetup();
    const id = await shell('sleep 300 & echo pid $!; setsid sleep 301 & echo pid $!');
    expect(await ended(id)).toMatchObject({ status: 'exited', exitCode: 0 });
    const left = pidsIn(await output(id));
    expect(left).toHaveLength(2);
    expect(left.filter(isAlive)).toEqual([]);
  });

  test('is listed, also with those that run alone', async () => {
    const { call, shell, ended } = processSetup();
    const [done, running] = [await shell('true'), await shell('sleep 300')];
    await ended(done);
    const ids = async (args: object) => (await call('list', args)).processes.map(({ id }: { id: string }) => id);
    expect(await ids({})).toEqual([done, running]);
    expect(await ids({ running_only: true })).toEqual([running]);
    expect(await call('list', { running_only: true })).toMatchObject({ total: 1, processes: [{ exitCode: 0 }] });
  });
});

describe('stopping', () => {
  test('lets a process end by itself', async () => {
    const { call, shell, output, infoOf } = processSetup({ graceMs: 20_000 });
    const id = await shell("trap 'echo bye; exit 4' TERM; echo up; while :; do sleep 0.05; done");
    await expect.poll(() => output(id)).toBe('up\n');
    expect(await call('stop', { id })).toEqual({ id, success: true, message: `${id} ended with exit code 4` });
    expect(await output(id)).toMatch(/bye\n$/);
    expect(await infoOf(id)).toMatchObject({ status: 'exited', exitCode: 4 });
    expect(await call('stop', { id })).toEqual({ id, success: false, message: `${id} ended with exit code 4 before` });
    expect(await call('kill', { id })).toMatchObject({ id, success: false });
  });

  test.each([
    ['stop', 'was ended by SIGKILL, because it did not end within 300 ms of SIGTERM'],
    ['kill', 'was ended by SIGKILL'],
  ])('by process_%s ends whatever ignores it, wherever it has gone', async (tool, words) => {
    const { call, shell, output } = processSetup();
    const id = await shell(DEAF_TREE);
    await expect.poll(async () => pidsIn(await output(id))).toHaveLength(2);
    const pids = pidsIn(await output(id));
    expect(await call(tool, { id })).toEqual({ id, success: true, message: `${id} ${words}` });
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('can be made faster', async () => {
    const { call, shell, output } = processSetup({ graceMs: 600_000 });
    const id = await shell(DEAF_TREE);
    await expect.poll(async () => pidsIn(await output(id))).toHaveLength(2);
    const stopped = call('stop', { id });
    expect(await call('kill', { id })).toMatchObject({ success: true });
    expect(await stopped).toMatchObject({ success: true });
  });

  test.each(['stop', 'kill', 'output'])('process_%s knows what there is', async (tool) => {
    const { call } = processSetup();
    expect(await call(tool, { id: 'proc-99' })).toMatchObject({
      code: 'PROCESS_FAILED',
      message: 'There is no process proc-99 (any more): process_list shows yours',
    });
  });

  test('the workflow ends them all', async () => {
    const { workflow, call, shell, output } = processSetup();
    const ids = [await shell(DEAF_TREE), await shell('echo pid $$; exec sleep 300')];
    const pids = async () => pidsIn((await Promise.all(ids.map((id) => output(id)))).join(''));
    await expect.poll(pids).toHaveLength(3);
    await workflow.stop();
    expect((await pids()).filter(isAlive)).toEqual([]);
    expect(await call('start', { command: 'ls' })).toMatchObject({ code: 'CALL_CANCELLED' });
  });

  test('one after other options gets no id that was given before', async () => {
    const before = processSetup();
    expect(await before.shell('true')).toBe('proc-1');
    const after = processSetup({ graceMs: 400 }, before.workflow.handOver?.());
    expect(await after.call('output', { id: 'proc-1' })).toMatchObject({ code: 'PROCESS_FAILED' });
    expect(await after.shell('true')).toBe('proc-2');
  });
});

describe('limits', () => {
  test('so many may run, whoever asks at the same time', async () => {
    const { call } = processSetup({ maxProcesses: 2 });
    const started = await Promise.all([1, 2, 3].map(() => call('start', { command: 'sleep', args: ['300'] })));
    expect(started.filter(({ id }) => id !== undefined)).toHaveLength(2);
    expect(started.find(({ code }) => code !== undefined)).toMatchObject({ code: 'OVERLOADED' });
    await call('kill', { id: 'proc-1' });
    expect(await call('start', { command: 'true' })).toMatchObject({ id: 'proc-3' });
  });

  test('so many that have ended are kept, the last ones', async () => {
    const { call, shell, ended } = processSetup({ keepEnded: 2 });
    const running = await shell('sleep 300');
    for (let count = 0; count < 4; count++) {
      const id = await shell('true');
      await expect.poll(async () => (await call('list', { running_only: true })).total).toBe(1);
      expect(await ended(id)).toMatchObject({ id });
    }
    const { processes } = await call('list');
    expect(processes.map(({ id }: { id: string }) => id)).toEqual([running, 'proc-4', 'proc-5']);
    expect(await call('output', { id: 'proc-2' })).toMatchObject({ code: 'PROCESS_FAILED' });
  });
});

describe('whose a process is', () => {
  const [ann, bob] = [{ id: 'ann' }, { id: 'bob' }];

  test('its client alone knows of it', async () => {
    const { call, shell, infoOf } = processSetup();
    const id = await shell('cat', ann);
    expect(await call('list', {}, bob)).toEqual({ processes: [], total: 0 });
    for (const [tool, more] of [
      ['stop', {}],
      ['kill', {}],
      ['output', {}],
      ['input', { input: 'x' }],
    ] as const)
      expect(await call(tool, { id, ...more }, bob)).toMatchObject({ code: 'PROCESS_FAILED' });
    expect(await infoOf(id, ann)).toMatchObject({ status: 'running' });
  });

  test('it ends with the session of its client', async () => {
    const { call, shell, output, provider } = processSetup();
    const [id, other] = [await shell('echo pid $$; exec sleep 300', ann), await shell('sleep 300', bob)];
    await expect.poll(() => output(id, ann)).toContain('pid');
    const pids = pidsIn(await output(id, ann));
    provider.onSessionEnded('ann');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    await expect.poll(async () => (await call('list', {}, ann)).total).toBe(0);
    expect(await call('list', {}, bob)).toMatchObject({ total: 1, processes: [{ id: other, status: 'running' }] });
  });

  test('all clients have them in common where the config says so', async () => {
    const { call, shell, infoOf, provider } = processSetup({ share: 'gateway' });
    const id = await shell('cat', ann);
    provider.onSessionEnded('ann');
    expect(await infoOf(id, bob)).toMatchObject({ status: 'running' });
    expect(await call('kill', { id }, bob)).toMatchObject({ success: true });
  });
});
