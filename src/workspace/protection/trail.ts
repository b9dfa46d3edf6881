import path from 'node:path';
import { type Identity, isSame } from '../ground/ground.ts';
import { partsOf } from '../path-rules.ts';
import { type Disk, foldersTo } from './disk.ts';
import { isSameName } from './names.ts';
import type { Relation } from './rules.ts';
import type { Spot } from './spot.ts';

const MAX_LINKS = 40;

/** The way from the root of the file system to what a path means. */
export interface Trail {
  /** The folders, links and files that are gone through; what is meant comes last, where it is there. */
  readonly steps: readonly Identity[];
  /** The protected entry, if it is there. */
  readonly end: { readonly identity: Identity; readonly isFile: boolean } | undefined;
  /** Else the last folder that is there, and the names that are missing in it. */
  readonly missing: { readonly folder: Identity; readonly names: readonly string[] } | undefined;
}

/** Follows an absolute path, links included, as the system would. */
export function trailOf(disk: Disk, place: string): Trail {
  const ahead = foldersTo(place).names.toReversed();
  const steps: Identity[] = [];
  let here = path.parse(place).root;
  let folder = disk.facts(here);
  let links = 0;
  for (let name = ahead.pop(); name !== undefined && folder !== undefined; name = ahead.pop()) {
    if (name === '' || name === '.') continue;
    const at = name === '..' ? path.dirname(here) : path.join(here, name);
    const entry = disk.facts(at);
    if (entry !== undefined && name !== '..') steps.push(entry);
    const target = entry?.isSymbolicLink() === true && links++ < MAX_LINKS ? disk.targetOf(at) : undefined;
    if (target !== undefined) {
      const { root } = path.parse(target);
      ahead.push(...partsOf(target.slice(root.length), process.platform).toReversed());
      if (root === '') continue;
      here = root;
      folder = disk.facts(here);
    } else if (entry?.isDirectory() === true) {
      here = at;
      folder = entry;
    } else if (entry !== undefined && ahead.length === 0) {
      return { steps, end: { identity: entry, isFile: entry.isFile() }, missing: undefined };
    } else return { steps, end: undefined, missing: { folder, names: [name, ...ahead.toReversed()] } };
  }
  return { steps, end: folder && { identity: folder, isFile: false }, missing: undefined };
}

export interface Lie {
  readonly relation: Relation;
  /** For a place inside: the names from the protected entry to the place. */
  readonly below: readonly string[];
}

/** Returns the relation of a place to the target of a path: by files and folders or, if they are missing, by their names. */
export function lieOf(spot: Spot, { steps, end, missing }: Trail): Lie | undefined {
  const { self, folders, names } = spot;
  if (end !== undefined) {
    if (self !== undefined && isSame(self, end.identity)) return { relation: 'same', below: [] };
    const at = folders.findLastIndex((folder) => folder !== undefined && isSame(folder, end.identity));
    if (at !== -1) return { relation: 'inside', below: names.slice(at) };
  }
  if (self !== undefined && steps.some((entry) => isSame(entry, self))) return { relation: 'above', below: [] };
  return missing === undefined ? undefined : lieToMissing(spot, missing);
}

function lieToMissing({ folders, names }: Spot, missing: NonNullable<Trail['missing']>): Lie | undefined {
  const at = folders.findLastIndex((folder) => folder !== undefined && isSame(folder, missing.folder));
  if (at === -1) return undefined;
  const tail = names.slice(at);
  const shared = Math.min(tail.length, missing.names.length);
  if (shared === 0 || !tail.slice(0, shared).every((name, index) => isSameName(name, missing.names[index]!)))
    return undefined;
  if (tail.length < missing.names.length) return { relation: 'above', below: [] };
  return { relation: tail.length === shared ? 'same' : 'inside', below: tail.slice(shared) };
}
