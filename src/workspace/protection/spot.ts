import path from 'node:path';
import type { Identity } from '../ground/ground.ts';
import type { Place } from '../place.ts';
import { factsAt } from '../read-file.ts';
import { type Disk, foldersTo } from './disk.ts';
import { plainName } from './names.ts';

/** The position of a place on this machine, seen from the root of the file system. */
export interface Spot {
  /** The folders that are there, those above the workspace too; the place itself is the last one, where it is a folder. */
  readonly folders: readonly (Identity | undefined)[];
  /** Their paths. */
  readonly paths: readonly string[];
  /** Each name is in the folder of the same index, as far as that is there. The last one is the place's own. */
  readonly names: readonly string[];
  /** The same names in the form in which they are compared. */
  readonly plainNames: readonly string[];
  /** The number of folders above the workspace. */
  readonly outside: number;
  /** The entry at the place. */
  readonly self: Awaited<ReturnType<typeof factsAt>>;
}

/** Looks where a place is. It must be in a root. */
export async function spotOf(place: Place, disk: Disk): Promise<Spot> {
  const [root] = place.way;
  const rootPath = await root!.realPath();
  const above = foldersTo(rootPath);
  const outside = above.folders.length - 1;
  const outer = above.folders.slice(0, outside).map((folder) => disk.facts(folder));
  const self = await factsAt(place);
  const names = [...above.names, ...place.names];
  const held = place.way.map((_folder, index) => path.join(rootPath, ...place.names.slice(0, index)));
  return {
    folders: [...outer, ...place.way.map(({ identity }) => identity)],
    paths: [...above.folders.slice(0, outside), ...held],
    names,
    plainNames: names.map(plainName),
    outside,
    self,
  };
}
