import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TreeEnder } from '../../../../src/process/managed/tree-ender.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { spawnTree } from '../../../../src/process/spawn-tree.ts';
import { endChild, isAlive } from '../../../support/processes.ts';

const STUBBORN = 'trap "" TERM; echo ready; while :; do sleep 1; done';
const OBEDIENT = 'echo ready; exec sleep 300';
const LEAVES_ONE = 'sleep 300 >/dev/null 2>&1 & echo $!';

/** A shell that runs a script and has written its first line. */
async function running(script: string, graceMs: number) {
  const reaper = new Reaper();
  const env = { PATH: process.env.PATH! };
  const tree = spawnTree({ file: '/bin/sh', args: ['-c', script], cwd: '/', env }, reaper);
  const { child } = tree;
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  onTestFinished(async () => {
    reaper.remove(child.pid!);
    await endChild(child, 'SIGKILL');
  });
  const [line] = await once(child.stdout!, 'data');
  return { ender: new TreeEnder(tree, graceMs), exit, line: String(line).trim() };
}

describe.skipIf(process.platform === 'win32')('a process', () => {
  test.each([
    ['stop', OBEDIENT, 'SIGTERM'],
    ['stop', STUBBORN, 'SIGKILL'],
    ['leave', OBEDIENT, 'SIGTERM'],
    ['leave', STUBBORN, 'SIGKILL'],
    ['kill', OBEDIENT, 'SIGKILL'],
  ] as const)('%s of "%s" ends it by %s, and it was told to end', async (way, script, signal) => {
    const { ender, exit } = await running(script, script === STUBBORN ? 50 : 10_000);
    expect(ender.wasTold).toBe(false);
    const gone = ender[way]();
    expect(ender.wasTold).toBe(true);
    expect(await gone).toBe(true);
    expect(await exit).toEqual([null, signal]);
  });

  test('that ends by itself was not told to, whatever is called then; what it has left is ended', async () => {
    const { ender, exit, line } = await running(LEAVES_ONE, 10_000);
    expect(await exit).toEqual([0, null]);
    expect(isAlive(Number(line))).toBe(true);
    const gone = ender.clear();
    expect(ender.clear()).toBe(gone);
    expect(await gone).toBe(true);
    expect(isAlive(Number(line))).toBe(false);
    expect(await ender.stop()).toBe(true);
    expect(ender.wasTold).toBe(false);
  });
});
