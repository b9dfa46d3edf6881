import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { GatewayError } from '../../../core/errors.ts';
import { trimmedEnd } from '../../../core/text/trimmed.ts';
import { failed, fileFailure } from '../../../workspace/failures.ts';
import type { HeldFolder } from '../../../workspace/ground/ground.ts';
import { isUnfinished } from '../../../workspace/leftovers.ts';
import type { Place } from '../../../workspace/place.ts';
import { factsAt } from '../../../workspace/read-file.ts';
import type { Sandbox } from '../../../workspace/sandbox.ts';
import { FirstNames } from './first-names.ts';

/** The folders on the way of each are open meanwhile. */
const LINKS_AT_ONCE = 32;

/** The largest number of entries of one page. */
export const PAGE_SIZE = 1_000;

export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly isDir: boolean;
  readonly size: number;
}

export interface DirectoryPage {
  /** By name. */
  readonly entries: DirectoryEntry[];
  /** The last name of this page, if there are more entries. */
  readonly next: string | undefined;
}

export interface PageRequest {
  /** The page begins after this name. */
  readonly after?: string | undefined;
  readonly size?: number;
}

/** An entry as it is in the folder. */
interface FoundEntry {
  readonly name: string;
  readonly isDir: boolean;
  readonly isLink: boolean;
  readonly size: number;
}

/** Returns a page of what is in a folder. The entries of a link are what it leads to, if that is inside. */
export async function entriesOf(
  sandbox: Sandbox,
  path: string,
  { after, size = PAGE_SIZE }: PageRequest = {},
): Promise<DirectoryPage> {
  // The one that is too many shows that there is another page.
  const wanted = { after, count: size + 1 };
  const found = await sandbox.at(path, { follow: true, intent: 'read' }, async (place) => {
    if (place.isTop) return rootEntries(sandbox, new FirstNames(wanted));
    if (place.folder === undefined) throw failed(path, await whyNoFolder(place));
    return folderEntries(place.folder, new FirstNames(wanted));
  });
  const shown = found.slice(0, size);
  const next = found.length > size ? shown.at(-1)?.name : undefined;
  return { entries: await throughLinks(sandbox, path, shown), next };
}

async function folderEntries(folder: HeldFolder, names: FirstNames<Dirent>): Promise<FoundEntry[]> {
  for await (const entry of await opendir(folder.path, { bufferSize: 256 })) {
    if (!isUnfinished(entry.name)) names.add(entry);
  }
  const entries = await Promise.all(
    names.inOrder().map(async (entry) => ({
      name: entry.name,
      isDir: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      size: await sizeOf(folder.at(entry.name), entry),
    })),
  );
  folder.verify();
  return entries;
}

async function throughLinks(sandbox: Sandbox, path: string, found: readonly FoundEntry[]): Promise<DirectoryEntry[]> {
  const all: DirectoryEntry[] = [];
  for (let next = 0; next < found.length; next += LINKS_AT_ONCE) {
    const some = found.slice(next, next + LINKS_AT_ONCE).map(async ({ isLink, name, isDir, size }) => {
      const entry = { name, path: joined(path, name), isDir, size };
      return isLink ? throughLink(sandbox, entry) : entry;
    });
    all.push(...(await Promise.all(some)));
  }
  return all;
}

/** Returns true if something is at a path. An entry that cannot be seen counts as missing, except for a path that leads out. */
export async function isThere(sandbox: Sandbox, path: string): Promise<{ exists: boolean; isDir: boolean }> {
  try {
    return await sandbox.at(path, { follow: true, intent: 'read' }, async (place) => {
      const isDir = place.isTop || place.folder !== undefined;
      return { exists: isDir || (await factsAt(place)) !== undefined, isDir };
    });
  } catch (error) {
    const failure = fileFailure(path, error);
    if (failure instanceof GatewayError && failure.code === 'FILE_FAILED') return { exists: false, isDir: false };
    throw failure;
  }
}

function rootEntries(sandbox: Sandbox, names: FirstNames<FoundEntry>): readonly FoundEntry[] {
  for (const { name = '' } of sandbox.roots) names.add({ name, isDir: true, isLink: false, size: 0 });
  return names.inOrder();
}

async function whyNoFolder(place: Place): Promise<string> {
  return (await factsAt(place)) === undefined ? 'there is no such file or folder' : 'it is a file, not a folder';
}

/** One that has gone meanwhile has no size. */
async function sizeOf(path: string, entry: Dirent): Promise<number> {
  if (!entry.isFile()) return 0;
  try {
    return (await lstat(path)).size;
  } catch {
    return 0;
  }
}

async function throughLink(sandbox: Sandbox, entry: DirectoryEntry): Promise<DirectoryEntry> {
  try {
    return await sandbox.at(entry.path, { follow: true, intent: 'read' }, async (place) => {
      if (place.folder !== undefined) return { ...entry, isDir: true };
      const facts = await factsAt(place);
      return { ...entry, size: facts?.isFile() === true ? Number(facts.size) : 0 };
    });
  } catch {
    return entry;
  }
}

/** Joins a path as it was written: `./src` gives `src/…`. */
function joined(path: string, name: string): string {
  const folder = trimmedEnd(path.replace(/^(?:\.\/+)+/, ''), '/');
  if (folder === '.' || folder === '') return path.startsWith('/') ? `/${name}` : name;
  return `${folder}/${name}`;
}
