import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RulePlace } from '../../core/settings/config-key.ts';
import { shellWord } from '../../core/text/shell-word.ts';
import { absolutePath } from '../home-path.ts';

/** Checks that the log can be written to the file that the config names. */
export function logFileProblem(written: string, place: RulePlace) {
  if (written === '') return undefined;
  const file = absolutePath(written, place);
  const parent = dirname(file);
  if (kindOf(parent) !== 'folder') {
    return { message: `there is no folder ${parent}`, hint: `create it first: mkdir -p ${shellWord(parent)}` };
  }
  return kindOf(file) === 'folder' ? { message: `${file} is a folder`, hint: 'name a file in it' } : undefined;
}

/** Checks that the audit can be written to the file that the config names. A missing folder is created. */
export function auditFileProblem(written: string, place: RulePlace) {
  if (written === '') return undefined;
  const file = absolutePath(written, place);
  if (kindOf(file) === 'folder') {
    return { message: `${file} is a folder`, hint: `name a file in it: ${file}/audit.jsonl` };
  }
  return kindOf(dirname(file)) === 'other'
    ? { message: `${dirname(file)} is no folder`, hint: 'name a file in a folder' }
    : undefined;
}

function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
