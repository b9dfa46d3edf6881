import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { WorkspaceRoot } from '../../core/settings/workspace-settings.ts';
import { isSame } from '../ground/ground.ts';
import { partsOf } from '../path-rules.ts';

export interface FoundRoot {
  readonly root: WorkspaceRoot;
  /** The parts of the path below the root. */
  readonly rest: readonly string[];
}

/**
 * Finds the root that an absolute path leads into: the first folder on the path that is a root, in any spelling.
 * Names may differ in case, or have links before.
 */
export async function findRoot(roots: readonly WorkspaceRoot[], target: string): Promise<FoundRoot | undefined> {
  const drive = path.parse(target).root;
  // Drives of other machines are not accessed: on Windows that would tell them who we are.
  const near = roots.filter(({ folder }) => isSameDrive(drive, path.parse(folder).root));
  if (near.length === 0) return undefined;
  const known = await Promise.all(near.map(async (root) => ({ root, facts: await factsOf(root.folder) })));
  const parts = partsOf(target.slice(drive.length), process.platform);
  let prefix = drive;
  for (let count = 0; count <= parts.length; count++) {
    // That would tell which folders there are outside.
    if (parts[count - 1] === '..') return undefined;
    if (count > 0) prefix = count === 1 ? `${drive}${parts[0]}` : `${prefix}${path.sep}${parts[count - 1]}`;
    const facts = await factsOf(prefix);
    if (facts === undefined) return undefined;
    const match = known.find((candidate) => candidate.facts !== undefined && isSame(candidate.facts, facts));
    if (match !== undefined) return { root: match.root, rest: parts.slice(count) };
  }
  return undefined;
}

function isSameDrive(one: string, other: string): boolean {
  return path.normalize(one).toLowerCase() === path.normalize(other).toLowerCase();
}

async function factsOf(place: string) {
  try {
    return await stat(place, { bigint: true });
  } catch {
    return undefined;
  }
}
