import { statSync } from 'node:fs';
import path from 'node:path';
import type { SourceRow } from '../../../store/knowledge/rows.ts';
import { areSameFacts } from '../../files/file-facts.ts';

/** Returns true if a file may differ from the one in the index. */
export function isStale(root: string, source: SourceRow): boolean {
  const found = statSync(path.join(root, source.path), { throwIfNoEntry: false });
  return found === undefined || !areSameFacts(found, source);
}
