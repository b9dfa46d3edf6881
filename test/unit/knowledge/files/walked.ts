import { type WalkOptions, walkFiles } from '../../../../src/knowledge/files/walk-files.ts';
import type { Walked } from '../../../../src/knowledge/files/walked.ts';

/** All that a walk yields, by its paths. */
export async function walked(root: string, options?: WalkOptions): Promise<Walked[]> {
  const found: Walked[] = [];
  for await (const batch of walkFiles(root, options)) found.push(...batch);
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paths of the files that a walk yields. */
export async function filesIn(root: string, options?: WalkOptions): Promise<string[]> {
  return (await walked(root, options)).filter(({ kind }) => kind === 'file').map(({ path }) => path);
}
