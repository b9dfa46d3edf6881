import { readFile, rm } from 'node:fs/promises';
import { linkTarget, putFile } from './put-file.ts';

/** The outcome of an edit of a file. */
export type EditOutcome = 'written' | 'unchanged' | 'removed';

const TRIES = 5;

/**
 * Changes a file of the user's: all of it or nothing, through links, with the rights and the owner it has. An agent may write
 * the same file at the same time: what it wrote is not lost, the edit is made again. A file that is new gets `newMode`.
 * @throws what `edit` throws, or the system's error
 */
export async function editFile(
  file: string,
  edit: (text: string | undefined) => string | undefined,
  newMode = 0o644,
): Promise<EditOutcome> {
  const target = await linkTarget(file);
  for (let attempt = 1; ; attempt++) {
    const before = await readText(target);
    const after = edit(before);
    if (after === before) return 'unchanged';
    const mayReplace = async () => (await readText(target)) === before;
    if (after !== undefined) {
      if (await putFile(target, { text: after, newMode, mayReplace })) return 'written';
    } else if (await mayReplace()) {
      await rm(target, { force: true });
      return 'removed';
    }
    if (attempt === TRIES) throw new Error('another program keeps writing it');
  }
}

/** @throws TypeError if the file is no UTF-8: it could not be written back as it was */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return bytes === undefined ? undefined : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
