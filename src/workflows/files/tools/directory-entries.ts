import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { GatewayError } from '../../../core/errors.ts';
import { trimmedEnd } from '../../../core/text/trimmed.ts';
import { failed, fileFailure } from '../../../workspace/failures.ts';
import { isUnfinished } from '../../../workspace/leftovers.ts';
import type { Place } from '../../../workspace/place.ts';
import { factsAt } from '../../../workspace/read-file.ts';
import type { Sandbox } from '../../../workspace/sandbox.ts';

/** The folders on the way of each are open meanwhile. */
const LINKS_AT_ONCE = 32;

/** The largest number of entries of one folder, more than a model can read. */
export const MAX_ENTRIES = 10_000;

export interface DirectoryEntry {
  readonly name: string;
  readonly path: string;
  readonly isDir: boolean;
  readonly size: number;
}

export interface DirectoryListing {
  /** By name. */
  readonly entries: DirectoryEntry[];
  /** True if there are more entries than are listed. */
  readonly isCut: boolean;
}

/**
 * Returns what is in a folder; of more than `max` entries, some `max` of them. The entries of a link are what it leads to,
 * if that is inside.
 */
export async function entriesOf(sandbox: Sandbox, path: string, max = MAX_ENTRIES): Promise<DirectoryListing> {
  let isCut = false;
  const found = await sandbox.at(path, { follow: true, intent: 'read' }, async (place) => {
    if (place.isTop) return rootEntries(sandbox);
    if (place.folder === undefined) throw failed(path, await whyNoFolder(place));
    const { folder } = place;
    const entries = await firstEntries(folder.path, max + 1);
    isCut = entries.length > max;
    entries.splice(max);
    const listed = await Promise.all(
      entries.map(async (entry) => ({ entry, size: await sizeOf(folder.at(entry.name), entry) })),
    );
    folder.verify();
    return listed.map(({ entry, size }) => ({
      name: entry.name,
      isDir: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      size,
    }));
  });
  const named = found.map(({ isLink, ...entry }) => ({ ...entry, isLink, path: joined(path, entry.name) }));
  const all: DirectoryEntry[] = [];
  for (let next = 0; next < named.length; next += LINKS_AT_ONCE) {
    const some = named.slice(next, next + LINKS_AT_ONCE);
    all.push(
      ...(await Promise.all(some.map(async ({ isLink, ...entry }) => (isLink ? throughLink(sandbox, entry) : entry)))),
    );
  }
  return { entries: all.sort((a, b) => (a.name < b.name ? -1 : 1)), isCut };
}

async function firstEntries(folder: string, count: number): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    if (isUnfinished(entry.name)) continue;
    entries.push(entry);
    if (entries.length === count) break;
  }
  return entries;
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

function rootEntries(sandbox: Sandbox) {
  return sandbox.roots.map(({ name = '' }) => ({ name, isDir: true, isLink: false, size: 0 }));
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
