import { type BigIntStats, constants, renameSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { HeldFolder } from './ground/ground.ts';
import { unfinishedName } from './leftovers.ts';
import { checkUntouched } from './untouched.ts';

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Leaves the owner or the group unchanged: see chown(2). */
const SAME = -1;
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0;

export interface Replacement {
  readonly bytes: Uint8Array;
  /** The mode of the file; the system's default for new files if absent. */
  readonly mode?: number | undefined;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** The entry that has the name until then; if it is another one by then, nothing is replaced. */
  readonly expected: BigIntStats | undefined;
  /** Runs the last look and the replacement while no other gateway does the same. */
  readonly alone: (work: () => void) => Promise<void>;
}

/**
 * Puts a file at a name in a folder, all of it or nothing: it is written beside, and takes the name when it is on the disk.
 * The file that had the name is unlinked, and never written to; so other names of it (hard links) keep what they had.
 */
export async function replaceFile(folder: HeldFolder, name: string, replacement: Replacement): Promise<void> {
  const beside = folder.at(unfinishedName());
  folder.verify();
  const handle = await open(
    beside,
    O_WRONLY | O_CREAT | O_EXCL | NO_LINK,
    replacement.mode === undefined ? 0o666 : 0o600,
  );
  try {
    await fill(handle, replacement).finally(() => handle.close());
    await replacement.alone(() => {
      checkUntouched(folder, name, replacement.expected);
      renameSync(beside, folder.at(name));
    });
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
  await folder.sync();
}

/**
 * Keeps the owner if possible. Only root may give a file away; other users may give it to a group that they are in,
 * whose members might otherwise lose access.
 */
async function keepOwner(handle: FileHandle, { uid, gid }: NonNullable<Replacement['owner']>): Promise<void> {
  await handle
    .chown(uid, gid)
    .catch(() => handle.chown(SAME, gid))
    .catch(() => undefined);
}

async function fill(handle: FileHandle, { bytes, mode, owner }: Replacement): Promise<void> {
  await handle.writeFile(bytes);
  if (owner !== undefined) await keepOwner(handle, owner);
  if (mode !== undefined) await handle.chmod(mode);
  await handle.sync();
}
