import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process. Its number alone does not: the system gives it to another process after the end of the first. */
export interface ProcessStamp {
  readonly pid: number;
  /** The time at which it started, in ticks since the machine was started; `x` if the system does not say. */
  readonly startedAt: string;
  /** The machine, this run of it, and the container: process numbers mean something only there. */
  readonly place: string;
}

const UNKNOWN = 'x';
const TEXT = /^(\d{1,10})-(\d{1,20}|x)-([\da-f]{8})$/;
/** Indexes of the fields in `/proc/PID/stat`, counted after the name of the process (proc_pid_stat(5)). */
const [STATE, STARTED_AT] = [0, 19];

let own: ProcessStamp | undefined;

/** Returns the stamp of this process. */
export function ownStamp(): ProcessStamp {
  own ??= { pid: process.pid, startedAt: lookAt('self')?.startedAt ?? UNKNOWN, place: place() };
  return own;
}

/** Returns a stamp as a word of a file or of its name; `stampIn` reads it. */
export function stampText({ pid, startedAt, place: where }: ProcessStamp): string {
  return `${pid}-${startedAt}-${where}`;
}

/** Reads what `stampText` has written; `undefined` for any other text. */
export function stampIn(text: string): ProcessStamp | undefined {
  const [, pid, startedAt, where] = TEXT.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), startedAt: startedAt!, place: where! };
}

/**
 * Says whether a process still runs.
 * @returns `undefined` if that cannot be known from here: it runs on another machine or in another container, ran before
 *   this machine was started again, or has a number that may belong to another process by now
 */
export function isRunning({ pid, startedAt, place: where }: ProcessStamp): boolean | undefined {
  if (where !== ownStamp().place) return undefined;
  if (!exists(pid)) return false;
  const found = lookAt(String(pid));
  if (found === undefined || startedAt === UNKNOWN) return undefined;
  return !found.hasEnded && found.startedAt === startedAt;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // another user's process
  }
}

function lookAt(name: string): { readonly hasEnded: boolean; readonly startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name of the program is in parentheses, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const hasEnded = fields[STATE] === 'Z' || fields[STATE] === 'X';
    return { hasEnded, startedAt: fields[STARTED_AT]! };
  } catch {
    return undefined; // another system, or it has just ended
  }
}

function place(): string {
  // The host may get another name while it runs.
  const facts = [bootId() || hostname(), processNamespace()];
  return createHash('sha256').update(facts.join('\0')).digest('hex').slice(0, 8);
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return ''; // not on Linux
  }
}

/** Each container has its own. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // not on Linux
  }
}
