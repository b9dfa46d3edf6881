import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isRunning, ownStamp, stampIn, stampText } from '../core/processes/process-stamp.ts';

const NAME = /^(.+)\.(\d+-(?:\d+|x)-[\da-f]{8})-[\da-f]{8}\.draft$/;
/**
 * The age at which a draft counts as abandoned if it is not known whether its process still runs, in milliseconds: no
 * write takes longer.
 */
const OLD_MS = 600_000;

const swept = new Set<string>();

/**
 * Returns a new name beside a file, for its content until all of it is written. It says which process writes it, so that
 * `sweepDrafts` can remove what was left behind.
 */
export function draftName(file: string): string {
  return `${file}.${stampText(ownStamp())}-${randomBytes(4).toString('hex')}.draft`;
}

/**
 * Removes drafts that processes left in a folder when they were killed: of every file, or of the one named. What cannot be
 * removed stays; the folder may be missing.
 */
export function sweepDrafts(folder: string, of?: string): void {
  for (const name of namesIn(folder)) {
    const [, file, stamp] = NAME.exec(name) ?? [];
    if (file === undefined || (of !== undefined && file !== of)) continue;
    try {
      if (isLeft(path.join(folder, name), stamp!)) rmSync(path.join(folder, name), { force: true });
    } catch {
      // It has just gone, or the folder is read-only: a draft does no harm.
    }
  }
}

/** The same, of every file, the first time that this process is at the folder. */
export function sweepDraftsOnce(folder: string): void {
  const key = path.resolve(folder);
  if (swept.has(key)) return;
  swept.add(key);
  sweepDrafts(folder);
}

function isLeft(draft: string, stamp: string): boolean {
  const writer = stampIn(stamp);
  const runs = writer === undefined ? undefined : isRunning(writer);
  return !(runs ?? Date.now() - lstatSync(draft).mtimeMs < OLD_MS);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
