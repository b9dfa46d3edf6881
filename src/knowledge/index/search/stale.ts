import { statSync } from 'node:fs';
import path from 'node:path';
import type { SourceRow } from '../../../store/knowledge/rows.ts';
import { areSameFacts } from '../../files/file-facts.ts';

/** Whether a file may be another one than the index has. */
export function isStale(root: string, source: SourceRow): boolean {
  const found = statSync(path.join(root, source.path), { throwIfNoEntry: false });
  return found === undefined || !areSameFacts(found, source);
}
