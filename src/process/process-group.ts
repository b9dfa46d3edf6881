import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { lookAtProcesses } from './process-table.ts';

/**
 * The time from end of input to SIGTERM, and from SIGTERM to SIGKILL, in milliseconds: together well under the five
 * seconds that a stop may take.
 */
export const STOP_STEP_MS = 1_500;
const POLL_MS = 25;
const MAX_POLL_MS = 150;

/** A child that leads a process group, and all that it started. */
export interface ProcessTree {
  readonly child: ChildProcess;
  /** The value of `TREE_VARIABLE` in its environment. */
  readonly mark: string;
}

/** A signal, and how long to wait until no process is left. */
export interface EndingStep {
  readonly signal: NodeJS.Signals;
  readonly withinMs: number;
}

/** Ends a child and all that it started: end of input, SIGTERM, SIGKILL. Resolves with whether all are gone. */
export async function stopTree(tree: ProcessTree, stepMs: number = STOP_STEP_MS): Promise<boolean> {
  tree.child.stdin?.end();
  await leaderExits(tree.child, stepMs);
  return endTree(tree, [
    { signal: 'SIGTERM', withinMs: stepMs },
    { signal: 'SIGKILL', withinMs: stepMs },
  ]);
}

/**
 * Sends one signal after the other to the group and to every process that carries the mark, until no process is left.
 * Resolves with whether all are gone.
 */
export async function endTree(tree: ProcessTree, steps: readonly EndingStep[]): Promise<boolean> {
  let left = await whoIsLeft(tree);
  for (const step of steps) {
    if (left === undefined) break;
    left = await whoStays(left, step, tree);
  }
  if (left !== undefined) return false;
  // For one that was started while the table was read, by another that ended before its turn came.
  if (isGroupThere(tree.child.pid)) signalGroup(tree.child.pid, 'SIGKILL');
  return true;
}

async function whoStays(
  left: Marked,
  { signal, withinMs }: EndingStep,
  tree: ProcessTree,
): Promise<Marked | undefined> {
  const deadline = performance.now() + withinMs;
  signalTree(tree, left, signal);
  // Each look reads the process table: the longer it takes, the less often.
  for (let pause = POLL_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
    await delay(Math.max(0, Math.min(pause, deadline - performance.now())));
    const stays = await whoIsLeft(tree);
    if (stays === undefined || performance.now() >= deadline) return stays;
    // Signal once more if that does no harm: a process may just have been starting when the others were killed.
    if (signal === 'SIGKILL') signalTree(tree, stays, signal);
  }
}

async function leaderExits(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (hasExited(child)) return true;
  const abort = new AbortController();
  const exit = once(child, 'exit', { signal: abort.signal }).then(() => true);
  const timeout = delay(withinMs, false, { signal: abort.signal });
  const exited = await Promise.race([exit, timeout]).catch(() => hasExited(child));
  abort.abort();
  await Promise.allSettled([exit, timeout]);
  return exited;
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Processes with the mark of a tree, in any group or session. */
type Marked = readonly number[];

/** Returns the marked processes while one of the tree runs; else `undefined`. */
async function whoIsLeft({ child, mark }: ProcessTree): Promise<Marked | undefined> {
  if (process.platform === 'win32') return child.pid === undefined || hasExited(child) ? undefined : [];
  if (process.platform !== 'linux') return isGroupThere(child.pid) ? [] : undefined;
  const { byMark, groups } = await lookAtProcesses();
  const marked = byMark.get(mark) ?? [];
  return marked.length > 0 || (isGroupThere(child.pid) && groups.has(child.pid!)) ? marked : undefined;
}

/** Signal 0 checks whether a process of the group is left, even one that has ended and was not collected. */
function isGroupThere(group: number | undefined): boolean {
  if (group === undefined || process.platform === 'win32') return false;
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return;
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    // If it cannot be run the process is found to be left.
    killer.on('error', () => undefined);
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // ESRCH: no process is left, as intended
  }
}

function signalTree({ child }: ProcessTree, marked: readonly number[], signal: NodeJS.Signals): void {
  signalGroup(child.pid, signal);
  for (const pid of marked) {
    try {
      process.kill(pid, signal);
    } catch {
      // ESRCH: it has ended meanwhile, which is what was wanted
    }
  }
}
