import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import type { ProcessTree } from './process-group.ts';
import { TREE_VARIABLE } from './process-table.ts';
import type { Reaper } from './reaper.ts';

export interface SpawnOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Number of further pipes, which the program has as file descriptors 3 and up; 0 if missing. */
  readonly morePipes?: number | undefined;
}

/** A process that was just started, as the root of the processes that it will start. */
export interface SpawnedTree extends ProcessTree {
  /** Resolves when the program runs. Rejects when it cannot be run, with the error of the system. */
  readonly running: Promise<void>;
}

/**
 * Starts a program with pipes to all of its standard streams. It and its descendants do not outlive the gateway.
 * @throws what the system says at once, such as of arguments that are too long
 */
export function spawnTree({ file, args, cwd, env, morePipes = 0 }: SpawnOptions, reaper: Reaper): SpawnedTree {
  const mark = reaper.newMark();
  const child = spawn(file, [...args], {
    cwd,
    env: { ...env, [TREE_VARIABLE]: mark },
    // A group of its own: it can be ended with all its descendants, and a terminal's Ctrl-C does not reach it.
    detached: process.platform !== 'win32',
    stdio: Array<'pipe'>(3 + morePipes).fill('pipe'),
    windowsHide: true,
  });
  if (child.pid !== undefined) reaper.add(child.pid);
  return { child, mark, running: spawned(child) };
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}
