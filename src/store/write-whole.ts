import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../core/folders/make-folder.ts';
import { draftName, sweepDraftsOnce } from './drafts.ts';
import { stampOf } from './file-stamp.ts';

/**
 * Writes a file of the gateway's own, all of it or nothing, in a folder that is made if need be; only this user can read
 * them. With `isDurable` the content is on the disk when the function returns.
 * @returns the stamp of the file that was written, which it keeps until somebody else writes it
 * @throws the system's error when the folder or the file cannot be written; nothing of it is left then
 */
export function writeWhole(file: string, text: string, { isDurable = false } = {}): string | undefined {
  const folder = path.dirname(file);
  makeFolder(folder, 0o700);
  sweepDraftsOnce(folder);
  const draft = draftName(file);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: isDurable });
    const stamp = stampOf(draft);
    renameSync(draft, file);
    return stamp;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
