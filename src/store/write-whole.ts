import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../core/folders/make-folder.ts';
import type { Steps } from '../core/timing/steps.ts';
import { draftName, sweepDraftsOnce } from './drafts.ts';
import { stampOf } from './file-stamp.ts';

/**
 * Writes a file of the gateway's own, all of it or nothing, in a folder that is made if need be; only this user can read
 * them. With `isDurable` the content is on the disk when the function returns.
 * @returns the stamp of the file that was written, which it keeps until somebody else writes it
 * @throws the system's error when the folder or the file cannot be written; nothing of it is left then
 */
export function writeWhole(file: string, text: string, { isDurable = false } = {}): string | undefined {
  const draft = newDraft(file);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: isDurable });
    return takePlace(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export interface LastSteps {
  /** Returns the last part. No other work is done between this and the moment at which the file is there. */
  readonly tail: () => string;
  /** Returns false if the file should stay as it is. */
  readonly isWanted: () => boolean;
}

/**
 * Does the same with a text in parts, one a step.
 * @returns the stamp; `undefined` if the file was not wanted any more
 */
export function* writeWholeSteps(
  file: string,
  parts: Iterable<string>,
  { tail, isWanted }: LastSteps,
): Steps<string | undefined> {
  const draft = newDraft(file);
  let opened: number | undefined;
  try {
    opened = openSync(draft, 'wx', 0o600);
    for (const part of parts) {
      writeFileSync(opened, part);
      yield;
    }
    if (!isWanted()) return undefined;
    writeFileSync(opened, tail());
    return takePlace(draft, file);
  } finally {
    if (opened !== undefined) closeSync(opened);
    rmSync(draft, { force: true });
  }
}

function newDraft(file: string): string {
  const folder = path.dirname(file);
  makeFolder(folder, 0o700);
  sweepDraftsOnce(folder);
  return draftName(file);
}

function takePlace(draft: string, file: string): string | undefined {
  const stamp = stampOf(draft);
  renameSync(draft, file);
  return stamp;
}
