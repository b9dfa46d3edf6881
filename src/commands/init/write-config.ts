import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../core/folders/make-folder.ts';
import { putFile } from '../user-files/put-file.ts';

/** Mode of the file, which can hold secrets. */
const MODE = 0o600;

/** The file exists already and must not be replaced. */
export class ConfigExistsError extends Error {
  constructor(file: string) {
    super(
      `${file} is there already. Nothing was written. --force replaces it, or name another file: viaduct init FILE`,
    );
    this.name = 'ConfigExistsError';
  }
}

/**
 * Writes a config that only this user can read, all of it or nothing.
 * @throws ConfigExistsError; Error when the folder or the file cannot be written
 */
export async function writeConfigFile(file: string, text: string, replace: boolean): Promise<void> {
  makeFolder(path.dirname(file), 0o700);
  if (!replace) return writeNew(file, text);
  await putFile(file, { text, newMode: MODE, mode: MODE });
}

async function writeNew(file: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(file, flags, MODE).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ConfigExistsError(file) : error;
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
