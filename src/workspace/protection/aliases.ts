import path from 'node:path';
import type { Disk } from './disk.ts';
import { type NamePattern, plainName } from './names.ts';
import { type Intent, isForbidden, type Relation } from './rules.ts';
import type { Spot } from './spot.ts';
import { lieOf, trailOf } from './trail.ts';

/** The names that patterns begin with: each with those that may follow in it. */
type Tree = Map<string, Tree>;

/** Returns the names under which the files of some patterns are looked for in a folder. */
export function treeOf(patterns: readonly NamePattern[]): Tree {
  const tree: Tree = new Map();
  for (const { literals } of patterns) {
    let branch = tree;
    for (const name of literals) {
      const next = branch.get(name) ?? new Map();
      branch.set(name, next);
      branch = next;
    }
  }
  return tree;
}

/**
 * Finds whether a place is where a symbolic link with one of the names leads, in a folder of the workspace that the place is
 * in: who has `.cursor` as a link to another folder has the files of Cursor there.
 */
export function findAlias(
  spot: Spot,
  { tree, patterns, disk, intent }: AliasQuestion,
): { readonly what: string; readonly relation: Relation } | undefined {
  const folders = spot.paths.slice(spot.outside, spot.names.length);
  const links = folders.flatMap((folder) => linksBelow(folder, { tree, disk, names: [] }));
  for (const { place, names } of links) {
    const lie = lieOf(spot, trailOf(disk, place));
    if (lie === undefined) continue;
    const plain = [...names, ...lie.below].map(plainName);
    for (const pattern of patterns) {
      const relation = pattern.relationOf(plain);
      if (relation === undefined) continue;
      // On the way to where the link leads, it is on the way to all that has names there.
      const whole = lie.relation === 'above' ? 'above' : relation;
      if (isForbidden(whole, intent)) return { what: pattern.what, relation: whole };
    }
  }
  return undefined;
}

interface AliasQuestion {
  readonly tree: Tree;
  readonly patterns: readonly NamePattern[];
  readonly disk: Disk;
  readonly intent: Intent;
}

interface Link {
  readonly place: string;
  /** Those of the pattern up to the link. */
  readonly names: readonly string[];
}

function linksBelow(
  folder: string,
  { tree, disk, names }: { readonly tree: Tree; readonly disk: Disk; readonly names: readonly string[] },
): Link[] {
  return [...tree].flatMap(([name, next]): Link[] => {
    const place = path.join(folder, name);
    const facts = disk.facts(place);
    if (facts?.isSymbolicLink() === true) return [{ place, names: [...names, name] }];
    if (facts?.isDirectory() !== true || next.size === 0) return [];
    return linksBelow(place, { tree: next, disk, names: [...names, name] });
  });
}
