import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../core/folders/make-folder.ts';
import { isRunning, ownStamp, stampIn, stampText } from '../core/processes/process-stamp.ts';
import { draftName, sweepDraftsOnce } from './drafts.ts';

const PAUSE_MS = 25;
/** The interval at which a holder renews a lock: machines that share a folder do not see each other's processes. */
const SIGN_OF_LIFE_MS = 30_000;
/** The time without a sign of life after which a holder that cannot be seen counts as gone, in milliseconds. */
const STALE_MS = 300_000;
const PATIENCE_MS = 90_000;
/** File systems that have no hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR']);

/**
 * Runs `work` while no other process runs any under the same file. A lock that was left behind by a process that was killed
 * is taken away. A signal ends the wait for others, with its reason.
 * @throws what `work` throws; Error when another process holds the lock for too long; the system's error when the lock
 *   cannot be written, on a full disk say
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  makeFolder(path.dirname(file), 0o700);
  sweepDraftsOnce(path.dirname(file));
  const until = performance.now() + PATIENCE_MS;
  let mark = take(file);
  while (mark === undefined) {
    signal?.throwIfAborted();
    if (performance.now() > until) throw new Error(`${file} is held by another process${holderOf(file)}`);
    await pause(PAUSE_MS + Math.random() * PAUSE_MS);
    mark = take(file);
  }
  const ours = mark;
  const signs = setInterval(() => giveSign(file, ours), SIGN_OF_LIFE_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(signs);
    remove(file, ours);
  }
}

/**
 * Takes the lock at once, and returns what lets it go; `undefined` if another process has it. The folder must be there.
 * @throws the system's error when the lock cannot be written; none is left then
 */
export function takeFileLock(file: string): (() => void) | undefined {
  const mark = take(file);
  return mark === undefined ? undefined : () => remove(file, mark);
}

/** @returns what the lock has in it now */
function take(file: string): string | undefined {
  const mark = newMark();
  if (create(file, mark)) return mark;
  const held = markIn(file);
  if (held !== undefined && isStale(file, held)) takeAway(file, held);
  return undefined;
}

function newMark(): string {
  return `${stampText(ownStamp())} ${randomUUID()}`;
}

/**
 * Makes the lock with its holder in it: one that is empty, if the disk is full or its maker was killed, would have no
 * holder. @returns false if a lock already exists
 */
function create(file: string, mark: string): boolean {
  const draft = draftName(file);
  try {
    writeFileSync(draft, mark, { flag: 'wx', mode: 0o600 });
    linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return createInPlace(file, mark);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createInPlace(file: string, mark: string): boolean {
  let isOurs = false;
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    isOurs = true;
    writeFileSync(file, mark);
    return true;
  } catch (error) {
    if (!isOurs && (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (isOurs) rmSync(file, { force: true });
    throw error;
  }
}

function markIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // its holder has let it go in this moment
  }
}

/** Removes a lock only where it still is this one: it may have been taken away, and another process has its name now. */
function remove(file: string, mark: string): void {
  if (markIn(file) === mark) rmSync(file, { force: true });
}

function isStale(file: string, mark: string): boolean {
  const holder = holderIn(mark);
  const runs = holder === undefined ? undefined : isRunning(holder);
  if (runs !== undefined) return !runs;
  try {
    return Date.now() - statSync(file).mtimeMs > STALE_MS;
  } catch {
    return false; // let go of in this moment
  }
}

function holderIn(mark: string) {
  return stampIn(mark.split(' ')[0]!);
}

function holderOf(file: string): string {
  const holder = holderIn(markIn(file) ?? '');
  return holder === undefined ? '' : ` (pid ${holder.pid})`;
}

/**
 * Two processes may see the same stale lock, and the slower one must not take away the new lock of the faster one: they take
 * turns.
 */
function takeAway(file: string, held: string): void {
  const turn = `${file}.turn`;
  const mark = newMark();
  if (create(turn, mark)) {
    remove(file, held);
    remove(turn, mark);
    return;
  }
  const other = markIn(turn);
  if (other !== undefined && isStale(turn, other)) setAside(turn, other);
}

/** Removes the turn of a process that was killed during it; a turn takes almost no time. */
function setAside(turn: string, held: string): void {
  const aside = draftName(turn);
  try {
    renameSync(turn, aside);
    if (markIn(aside) !== held) linkSync(aside, turn);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

function giveSign(file: string, mark: string): void {
  const now = new Date();
  try {
    if (markIn(file) === mark) utimesSync(file, now, now);
  } catch {
    // The disk is out of reach: the next sign may get there.
  }
}
