import type { Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../core/folders/make-folder.ts';
import { draftName, sweepDrafts } from '../../store/drafts.ts';

/** Facts of the existing file whose owner is kept. */
const SAME = -1;

export interface Put {
  readonly text: string;
  /** Mode of a new file. */
  readonly newMode: number;
  /** Mode of the file in any case; without this, an existing file keeps its own. */
  readonly mode?: number;
  /** Returns whether the file may still be replaced; called at the last moment. */
  readonly mayReplace?: () => Promise<boolean>;
}

/**
 * Gives a file of the user's new content: all of it or nothing, through links, with the owner that it has. What is no file,
 * such as a pipe or a device, is written into.
 * @returns false where it may not be replaced any more
 * @throws the system's error; the file is as it was then, and no draft is left
 */
export async function putFile(file: string, { text, newMode, mode, mayReplace }: Put): Promise<boolean> {
  const target = await linkTarget(file);
  const before = await stat(target).catch(() => undefined);
  if (before !== undefined && !before.isFile() && !before.isDirectory()) {
    await writeFile(target, text);
    return true;
  }
  const folder = path.dirname(target);
  makeFolder(folder);
  sweepDrafts(folder, path.basename(target));
  const draft = draftName(target);
  try {
    const wanted = mode ?? (before === undefined ? undefined : before.mode & 0o777);
    const handle = await open(draft, 'wx', wanted === undefined ? newMode : 0o600);
    await fill(handle, { text, before, mode: wanted }).finally(() => handle.close());
    if (mayReplace !== undefined && !(await mayReplace())) return false;
    await rename(draft, target);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns where a file is, or would be: a link may lead to a place where nothing is yet. */
export async function linkTarget(file: string): Promise<string> {
  const real = await realpath(file).catch(() => undefined);
  if (real !== undefined) return real;
  const next = await readlink(file).catch(() => undefined);
  return next === undefined ? file : path.resolve(path.dirname(file), next);
}

interface Filling {
  readonly text: string;
  readonly before: Stats | undefined;
  readonly mode: number | undefined;
}

async function fill(handle: FileHandle, { text, before, mode }: Filling): Promise<void> {
  await handle.writeFile(text);
  if (before !== undefined) await keepOwner(handle, before);
  // The rights of a new file are cut by the umask; those of one that was there are kept.
  if (mode !== undefined) await handle.chmod(mode);
  // Some file systems say only now that they are full.
  await handle.sync();
}

/** Only root can change the owner; other users can set a group that they are in. */
async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  await handle
    .chown(uid, gid)
    .catch(() => handle.chown(SAME, gid))
    .catch(() => undefined);
}
