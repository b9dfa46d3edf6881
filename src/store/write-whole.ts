import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../core/folders/make-folder.ts';

/**
 * Writes a file of the gateway's own, all of it or nothing, in a folder that is made if need be; only this user can read
 * them. With `isDurable` the content is on the disk when the function returns.
 * @throws the system's error when the folder or the file cannot be written
 */
export function writeWhole(file: string, text: string, { isDurable = false } = {}): void {
  const draft = `${file}.${process.pid}-${randomUUID().slice(0, 8)}`;
  makeFolder(path.dirname(file), 0o700);
  writeFileSync(draft, text, { mode: 0o600, flush: isDurable });
  renameSync(draft, file);
}
