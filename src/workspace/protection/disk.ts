import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

/** The largest file of git that is read, in bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * The files of this machine during one look: each is looked at once. What cannot be seen counts as missing. At once, and not in
 * the background: there are hundreds, most of them missing, and it takes a tenth of the time.
 */
export class Disk {
  readonly #facts = new Map<string, BigIntStats | undefined>();

  /** Returns the kind of entry at a path; a symbolic link itself. */
  facts(place: string): BigIntStats | undefined {
    if (this.#facts.has(place)) return this.#facts.get(place);
    const facts = orNothing(() => lstatSync(place, { bigint: true, throwIfNoEntry: false }), undefined);
    this.#facts.set(place, facts);
    return facts;
  }

  /** Returns the target of a symbolic link; undefined if there is none. */
  targetOf(link: string): string | undefined {
    return orNothing(() => readlinkSync(link), undefined);
  }

  /** Returns the text of a small file, links followed; empty if there is none. */
  textOf(file: string): string {
    return orNothing(() => {
      const facts = statSync(file);
      return facts.isFile() && facts.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
    }, '');
  }

  /** Returns the paths of the symbolic links in a folder; none if it cannot be listed. */
  linksIn(folder: string): string[] {
    const entries = orNothing(() => readdirSync(folder, { withFileTypes: true }), []);
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => path.join(folder, name));
  }
}

function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}

/** Returns the folders from the root of the file system to a path, the path itself included, and their names. */
export function foldersTo(place: string): { readonly folders: readonly string[]; readonly names: readonly string[] } {
  const { root } = path.parse(place);
  const names = place.slice(root.length).split(path.sep).filter(Boolean);
  const folders = [root];
  for (const name of names) folders.push(path.join(folders.at(-1)!, name));
  return { folders, names };
}
