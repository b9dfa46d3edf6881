import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Reaper } from '../../../src/process/reaper.ts';
import { spawnTree } from '../../../src/process/spawn-tree.ts';
import { endChild } from '../../support/processes.ts';

/** Processes that have been given this text as an argument. */
function processesGiven(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => argumentsOf(pid).includes(text)).map(Number);
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it has ended meanwhile
  }
}

test.skipIf(process.platform !== 'linux')(
  'a reaper that is killed is replaced while there is something to reap',
  async () => {
    const reaper = new Reaper();
    const { child, mark } = spawnTree({ file: '/bin/sleep', args: ['300'], cwd: '/', env: {} }, reaper);
    onTestFinished(async () => {
      reaper.remove(child.pid!);
      await endChild(child, 'SIGKILL');
    });
    const token = mark.split('.')[0]!;
    const [first] = processesGiven(token);
    process.kill(first!, 'SIGKILL');
    await expect.poll(() => processesGiven(token)).toEqual([expect.not.toSatisfy((pid) => pid === first)]);
  },
);
