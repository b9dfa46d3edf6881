import { readlinkSync } from 'node:fs';
import type { Holder } from '../../core/stores/container-records.ts';
import { startOfProcess } from '../process-table.ts';

/** Returns what this gateway writes into its records. */
export function thisHolder(): Holder {
  return { pid: process.pid, startedAt: startOfProcess(process.pid), space: spaceOfProcesses() };
}

/**
 * Returns whether the gateway that wrote a record at `writtenAt` has certainly ended. One in another container that has the
 * same home is never known to have ended: its processes cannot be seen here.
 */
export function hasEnded({ pid, startedAt, space }: Holder, writtenAt: number): boolean {
  if (space !== spaceOfProcesses()) return false;
  if (startedAt !== undefined) return startOfProcess(pid) !== startedAt;
  // A gateway in a container may have the number of the one before it.
  if (pid === process.pid) return writtenAt < Date.now() - process.uptime() * 1_000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function spaceOfProcesses(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined; // no /proc
  }
}
