import { randomUUID } from 'node:crypto';
import { chmod, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../core/folders/make-folder.ts';

/** What became of a file. */
export type EditOutcome = 'written' | 'unchanged' | 'removed';

const TRIES = 5;

/**
 * Changes a file of the user's: all of it or nothing, through links, with the rights it has. An agent may write the same
 * file at the same time: what it wrote is not lost, the edit is made again. A file that is new gets `newMode`.
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
    if (after === undefined) {
      await rm(target, { force: true });
      return 'removed';
    }
    if (await replace(target, { before, after, newMode })) return 'written';
    if (attempt === TRIES) throw new Error('another program keeps writing it');
  }
}

/** Where a file is, or would be: a link may lead to a place where nothing is yet. */
async function linkTarget(file: string): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  if (real !== undefined) return real;
  const next = await readlink(file).catch(() => undefined);
  return next === undefined ? file : path.resolve(path.dirname(file), next);
}

interface Replacement {
  readonly before: string | undefined;
  readonly after: string;
  readonly newMode: number;
}

async function replace(target: string, { before, after, newMode }: Replacement): Promise<boolean> {
  makeFolder(path.dirname(target));
  const mode = await stat(target).then(
    (facts) => facts.mode & 0o777,
    () => newMode,
  );
  const draft = `${target}.${randomUUID().slice(0, 8)}`;
  try {
    await writeFile(draft, after, { mode, flag: 'wx' });
    // The rights of a new file are cut by the umask; those of one that was there are kept.
    if (before !== undefined) await chmod(draft, mode);
    if ((await readText(target)) !== before) return false;
    await rename(draft, target);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** @throws TypeError where the file is no UTF-8: it could not be written back as it was */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return bytes === undefined ? undefined : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}
