import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../core/folders/make-folder.ts';

const PAUSE_MS = 25;
/** Nobody holds a lock for longer: requests to servers have time limits, and a file is written in moments. */
const STALE_MS = 300_000;
const PATIENCE_MS = 90_000;

/**
 * Runs `work` while no other process of this machine runs any under the same file. What a process left behind that was
 * killed is taken away. A signal ends the wait for others, with its reason.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  makeFolder(path.dirname(file), 0o700);
  const until = performance.now() + PATIENCE_MS;
  let release = takeFileLock(file);
  while (release === undefined) {
    signal?.throwIfAborted();
    if (performance.now() > until) throw new Error(`${file} is held by another process`);
    await pause(PAUSE_MS + Math.random() * PAUSE_MS);
    release = takeFileLock(file);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/**
 * Takes the lock at once, and gives what lets it go; `undefined` where another process has it. The folder must be
 * there.
 */
export function takeFileLock(file: string): (() => void) | undefined {
  const mark = `${process.pid} ${hostname()} ${randomUUID()}`;
  if (!take(file, mark)) return undefined;
  return () => {
    if (markIn(file) === mark) rmSync(file, { force: true });
  };
}

function take(file: string, mark: string): boolean {
  try {
    writeFileSync(file, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const held = markIn(file);
    if (held !== undefined && isStale(file, held)) takeAway(file, held);
    return false;
  }
}

function markIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // its holder has let it go in this moment
  }
}

function isStale(file: string, mark: string): boolean {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    const [pid, host] = mark.split(' ');
    // Not written yet; or of a container with the same folder, whose processes are not ours to see.
    if (host !== hostname()) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Two processes may see the same stale lock, and the slower one must not take away the new lock of the faster one. */
function takeAway(file: string, held: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (markIn(aside) !== held) linkSync(aside, file);
  } catch {
    // Somebody else was faster.
  }
  rmSync(aside, { force: true });
}
