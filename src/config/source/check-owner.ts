import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, type ConfigIssue } from '../findings/config-error.ts';
import type { ConfigFile } from './config-file.ts';
import { fileProblem, folderProblem } from './ownership.ts';

/**
 * Checks that no other user can change a config that was read.
 * @throws ConfigError that says who can, and how to correct it
 */
export function checkOwner({ path, facts }: Pick<ConfigFile, 'path' | 'facts'>): void {
  const problem = fileProblem(path, facts);
  if (problem !== undefined) throw new ConfigError(path, [refusal(problem.message, problem.fix)]);
}

/**
 * Checks that no other user can put another file in the place of a config: neither in its folder nor, if it is a link, in
 * the folder of its target. Folders above these are not looked at.
 * @throws ConfigError that says who can, and how to correct it
 */
export async function checkFolders(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  for (const folder of new Set([dirname(path), dirname(target)])) {
    const facts = await stat(folder).catch(() => undefined);
    const problem = facts === undefined ? undefined : folderProblem(folder, facts);
    if (problem === undefined) continue;
    throw new ConfigError(path, [refusal(`the folder ${folder} is not yours alone: ${problem.message}`, problem.fix)]);
  }
}

function refusal(message: string, fix: string): ConfigIssue {
  const hint = `its commands would run as you. To correct it: ${fix}`;
  return { line: 0, column: 0, jsonPath: '', message, hint, fix };
}
