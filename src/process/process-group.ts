import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { markedProcesses, runningMembers, signalEach } from './marked-processes.ts';

/** From end of input to SIGTERM, and from SIGTERM to SIGKILL: together well under the five seconds that a stop may take. */
export const STOP_STEP_MS = 1_500;
const POLL_MS = 25;
const MAX_POLL_MS = 150;

/**
 * Ends a child and all that it started: end of input, SIGTERM, SIGKILL, the latter two to its process group and to
 * whatever carries its mark. Each step waits until nobody is left, at most `stepMs`. Resolves with whether all are gone.
 */
export async function stopTree(child: ChildProcess, mark: string, stepMs: number = STOP_STEP_MS): Promise<boolean> {
  child.stdin?.end();
  await leaderExits(child, stepMs);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const escaped = await markedProcesses(mark);
    if (escaped.length === 0 && !(await isGroupRunning(child.pid))) return true;
    signalGroup(child.pid, signal);
    signalEach(escaped, signal);
    if (await treeEnds(child.pid, mark, stepMs)) return true;
  }
  return false;
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

async function treeEnds(group: number | undefined, mark: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  // Each look reads the process table, and many upstreams may be stopping: they look less often the longer it takes.
  for (let pause = POLL_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
    if (await isTreeGone(group, mark)) return true;
    if (performance.now() >= deadline) return false;
    await delay(pause);
  }
}

async function isTreeGone(group: number | undefined, mark: string): Promise<boolean> {
  return !(await isGroupRunning(group)) && (await markedProcesses(mark)).length === 0;
}

async function isGroupRunning(group: number | undefined): Promise<boolean> {
  if (!isGroupThere(group)) return false;
  return process.platform !== 'linux' || (await runningMembers(group!)).length > 0;
}

/** Signal 0 asks whether a process of the group is left, be it one that has ended and was not collected. */
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
    spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // ESRCH: nobody is left, which is what was wanted
  }
}
