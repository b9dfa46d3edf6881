import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../settings/paths.ts';

/**
 * Marks a shared gateway as stopped by its user, so that clients that lose their connection do not start another one.
 * @throws the system's error when the mark cannot be written
 */
export function markStopped(home: string, pid: number): void {
  writeFileSync(markOf(home, pid), '', { mode: 0o600 });
}

/** Returns whether the gateway with this process id was stopped by its user. */
export function wasStopped(home: string, pid: number): boolean {
  return existsSync(markOf(home, pid));
}

/** Removes the mark of an earlier gateway that had the same process id. */
export function clearStopMark(home: string, pid: number): void {
  rmSync(markOf(home, pid), { force: true });
}

function markOf(home: string, pid: number): string {
  return path.join(runFolder(home), `stopped-${pid}`);
}
