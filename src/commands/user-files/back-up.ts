import { createHash } from 'node:crypto';
import path from 'node:path';
import { writeWhole } from '../../store/write-whole.ts';

/** Returns the path, in the gateway's folder, at which the last version of a user's file is kept before it is changed. */
export function backupPath(home: string, file: string): string {
  const hash = createHash('sha256').update(path.resolve(file)).digest('hex').slice(0, 12);
  return path.join(home, 'backups', `${hash}-${path.basename(file)}`);
}

/** Saves a text as the last version of a file, readable only by this user. */
export async function backUp(home: string, file: string, text: string): Promise<string> {
  const backup = backupPath(home, file);
  writeWhole(backup, text);
  return backup;
}
