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
}

/** A process that was just started, as the head of whatever it will start. */
export interface SpawnedTree extends ProcessTree {
  /** Resolves when the program runs. Rejects when it cannot be run, with the error of the system. */
  readonly running: Promise<void>;
}

/**
 * Starts a program with pipes to all of its standard streams. It and its descendants do not outlive the gateway.
 * @throws what the system says at once, such as of arguments that are too long
 */
export function spawnTree({ file, args, cwd, env }: SpawnOptions, reaper: Reaper): SpawnedTree {
  const mark = reaper.newMark();
  const child = spawn(file, [...args], {
    cwd,
    env: { ...env, [TREE_VARIABLE]: mark },
    // A group of its own: it can be ended with all its descendants, and a terminal's Ctrl-C does not reach it.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
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
