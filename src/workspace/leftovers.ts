import { randomBytes } from 'node:crypto';
import { lstat, opendir, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeStore } from '../core/stores/change-store.ts';
import { errorCode, type Ground, type HeldFolder } from './ground/ground.ts';
import { UNPROTECTED } from './protection/guard.ts';
import { Sandbox } from './sandbox.ts';

const NAME = /^\.viaduct-(\d{1,10})-[\da-f]{18}\.tmp$/;
/**
 * A time in which every write of a file has ended, in milliseconds, even if the writer runs on another machine or in a
 * container.
 */
const OLD_MS = 600_000;
const MOST_ENTRIES = 20_000;
const MOST_CHANGES = 100;

/** Returns the name of a file that is written and has not taken its own yet: it tells whose it is. */
export function unfinishedName(): string {
  return `.viaduct-${process.pid}-${randomBytes(9).toString('hex')}.tmp`;
}

export function isUnfinished(name: string): boolean {
  return NAME.test(name);
}

/**
 * Removes what gateways of this machine have left that were killed while they wrote, where the store says that something
 * was begun. What was begun on another machine that shares the store is not looked at: the same paths are other files here.
 */
export async function sweepLeftovers(store: ChangeStore, ground: Ground): Promise<void> {
  const folders = new Map<string, readonly string[]>();
  for (const { parts, roots } of await store.list({ isBegun: true, machines: 'this', limit: MOST_CHANGES })) {
    for (const part of parts)
      if (part.kind === 'put' && part.after.kind === 'file') folders.set(path.dirname(part.path), roots);
  }
  for (const [folder, roots] of folders) {
    const sandbox = new Sandbox(
      roots.map((root) => ({ folder: root })),
      ground,
      // Only files that are ours by their names are removed.
      UNPROTECTED,
    );
    // A folder that is not there any more has nothing in it.
    await sandbox.at(folder, { follow: false, intent: 'change' }, sweepPlace).catch(() => undefined);
  }
}

/** Removes an empty folder, also one in which only such files were left. */
export async function removeFolder(folder: HeldFolder | undefined, at: string): Promise<void> {
  try {
    await rmdir(at);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' || folder === undefined || !(await sweepFolder(folder))) throw error;
    await rmdir(at);
  }
}

async function sweepPlace({ folder }: { readonly folder: HeldFolder | undefined }): Promise<void> {
  if (folder !== undefined) await sweepFolder(folder);
}

/** Tells whether something went. */
async function sweepFolder(folder: HeldFolder): Promise<boolean> {
  const names: string[] = [];
  let looked = 0;
  for await (const { name } of await opendir(folder.path)) {
    if (isUnfinished(name)) names.push(name);
    if (++looked === MOST_ENTRIES) break;
  }
  let isAnyGone = false;
  for (const name of names) {
    if (!(await isLeft(folder, name))) continue;
    await unlink(folder.at(name));
    isAnyGone = true;
  }
  return isAnyGone;
}

async function isLeft(folder: HeldFolder, name: string): Promise<boolean> {
  folder.verify();
  const facts = await lstat(folder.at(name));
  const isOld = facts.isFile() && Date.now() - facts.mtimeMs > OLD_MS;
  return isOld && !isWriter(Number(NAME.exec(name)?.[1]), facts.mtimeMs);
}

function isWriter(pid: number, writtenAt: number): boolean {
  // In a container each gateway may have the number of the one before.
  if (pid === process.pid) return writtenAt >= Date.now() - process.uptime() * 1_000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
