import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** From end of input to SIGTERM, and from SIGTERM to SIGKILL: together well under the five seconds that a stop may take. */
export const STOP_STEP_MS = 1_500;
const POLL_MS = 25;

/**
 * Ends a child and all that it started: end of input, SIGTERM to its process group, SIGKILL to its process group.
 * Each step waits until nobody is left, at most `stepMs`. Resolves when the group is empty.
 */
export async function stopGroup(child: ChildProcess, stepMs: number = STOP_STEP_MS): Promise<void> {
  child.stdin?.end();
  if (await leaderExits(child, stepMs)) {
    if (!isGroupAlive(child.pid)) return;
  }
  signalGroup(child.pid, 'SIGTERM');
  if (await groupEnds(child.pid, stepMs)) return;
  signalGroup(child.pid, 'SIGKILL');
  await groupEnds(child.pid, stepMs);
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

async function groupEnds(group: number | undefined, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isGroupAlive(group)) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Signal 0 asks whether a process of the group is left. */
export function isGroupAlive(group: number | undefined): boolean {
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
