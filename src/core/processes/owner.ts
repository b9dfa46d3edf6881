import { isRunning, ownStamp, stampIn, stampText } from './process-stamp.ts';

/**
 * The time without a sign of life after which an owner on another machine, or an old part of this process, counts as
 * gone, in milliseconds.
 */
const SILENT_MS = 60_000;

/** Returns the name of a part of this process that owns something in a database: its stamp, and a word for the part. */
export function ownerName(part: string): string {
  return `${stampText(ownStamp())} ${part}`;
}

/**
 * Returns whether an owner is gone.
 * @param owner as `ownerName` gave it
 * @param atMs when it gave its last sign of life, in milliseconds since 1970
 */
export function isGone(owner: string, atMs: number): boolean {
  return hasEnded(owner) === true || Date.now() - atMs > SILENT_MS;
}

/** Returns whether the process of an owner has ended; `undefined` if that cannot be known from here. */
export function hasEnded(owner: string): boolean | undefined {
  const stamp = stampIn(owner.split(' ')[0]!);
  const isThere = stamp && isRunning(stamp);
  return isThere === undefined ? undefined : !isThere;
}
