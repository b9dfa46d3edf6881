import type { BigIntStats } from 'node:fs';
import { lstat, opendir, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

/** No file of git that we read is larger. */
const MAX_BYTES = 256 * 1024;
/** No folder of hooks has more in it. */
const MOST_ENTRIES = 1_000;

/** The files of this machine during one look: each is looked at once. What cannot be seen counts as missing. */
export class Disk {
  readonly #facts = new Map<string, Promise<BigIntStats | undefined>>();

  /** What is at a path; a symbolic link itself. */
  facts(place: string): Promise<BigIntStats | undefined> {
    let facts = this.#facts.get(place);
    if (facts === undefined) {
      facts = lstat(place, { bigint: true }).catch(() => undefined);
      this.#facts.set(place, facts);
    }
    return facts;
  }

  /** Where a symbolic link leads; undefined where there is none. */
  async targetOf(link: string): Promise<string | undefined> {
    return readlink(link).catch(() => undefined);
  }

  /** The text of a small file, links followed; empty where there is none. */
  async textOf(file: string): Promise<string> {
    try {
      const facts = await stat(file);
      return facts.isFile() && facts.size <= MAX_BYTES ? await readFile(file, 'utf8') : '';
    } catch {
      return '';
    }
  }

  /** The paths of the symbolic links in a folder; none where it cannot be listed. */
  async linksIn(folder: string): Promise<string[]> {
    const links: string[] = [];
    try {
      let count = 0;
      for await (const entry of await opendir(folder)) {
        if (entry.isSymbolicLink()) links.push(path.join(folder, entry.name));
        if (++count === MOST_ENTRIES) break;
      }
    } catch {
      return links;
    }
    return links;
  }
}

/** The folders from the root of the file system to a path, the path itself included, and their names. */
export function foldersTo(place: string): { readonly folders: readonly string[]; readonly names: readonly string[] } {
  const { root } = path.parse(place);
  const names = place.slice(root.length).split(path.sep).filter(Boolean);
  const folders = [root];
  for (const name of names) folders.push(path.join(folders.at(-1)!, name));
  return { folders, names };
}
