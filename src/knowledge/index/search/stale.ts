import { statSync } from 'node:fs';
import path from 'node:path';
import type { SourceRow } from '../../../store/knowledge/rows.ts';

/** Whether a file may be another one than the index has. */
export function isStale(root: string, source: SourceRow): boolean {
  const found = statSync(path.join(root, source.path), { throwIfNoEntry: false });
  if (found === undefined) return true;
  return found.mtimeMs !== source.mtimeMs || found.size !== source.size || found.ino !== source.ino;
}
