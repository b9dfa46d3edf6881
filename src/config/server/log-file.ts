import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Environment } from '../../core/settings/environment.ts';
import { withHome } from '../build-config.ts';
import { type Finding, valueAt } from '../findings/finding.ts';

const PATH = ['log', 'file'] as const;
const AUDIT_PATH = ['audit', 'file'] as const;

/** What keeps the log from being written to the file that the config names. `folder` is that of the config. */
export function logFileFindings(value: unknown, folder: string, env: Environment): Finding[] {
  const written = valueAt(value, PATH);
  if (typeof written !== 'string' || written === '') return [];
  const file = resolve(folder, withHome(written, env));
  const parent = dirname(file);
  if (kindOf(parent) !== 'folder') {
    return [{ path: PATH, message: `there is no folder ${parent}`, hint: `make it first: mkdir -p ${parent}` }];
  }
  if (kindOf(file) === 'folder') return [{ path: PATH, message: `${file} is a folder`, hint: 'name a file in it' }];
  return [];
}

/** The same for the audit, whose folder is made where there is none. */
export function auditFileFindings(value: unknown, folder: string, env: Environment): Finding[] {
  const written = valueAt(value, AUDIT_PATH);
  if (typeof written !== 'string' || written === '') return [];
  const file = resolve(folder, withHome(written, env));
  if (kindOf(file) === 'folder') {
    return [{ path: AUDIT_PATH, message: `${file} is a folder`, hint: `name a file in it: ${file}/audit.jsonl` }];
  }
  if (kindOf(dirname(file)) === 'other') {
    return [{ path: AUDIT_PATH, message: `${dirname(file)} is no folder`, hint: 'name a file in a folder' }];
  }
  return [];
}

function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
