import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { globTest } from '../../core/access/name-filter.ts';

/** The longest path on Linux, in bytes. A longer one is not matched: it is denied. */
const MAX_PATH_LENGTH = 4_096;

/**
 * Decides by globs which commands may be started. A command that is given as a path is allowed by its path only, so that
 * a file which happens to be called `git` does not pass for git. What is denied is denied under each of its names.
 */
export function commandRules({
  allow,
  deny,
}: {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}): (command: string, file: string) => Promise<boolean> {
  const isAllowed = globTest(allow, MAX_PATH_LENGTH, false);
  const isDenied = globTest(deny, MAX_PATH_LENGTH, true);
  return async (command, file) => {
    const target = await realpath(file);
    const isPath = path.basename(command) !== command;
    const names = (isPath ? [file, target] : [command, file, target]).flatMap(spellings);
    return names.some(isAllowed) && ![...names, ...[command, file, target].flatMap(shortNames)].some(isDenied);
  };
}

/**
 * Returns the spellings of a path. In a glob a backslash escapes the next character, so Windows paths are written with
 * slashes.
 */
function spellings(file: string): string[] {
  return process.platform === 'win32' ? [file, file.replaceAll('\\', '/')] : [file];
}

/** Returns the name without its folder; on Windows also without the ending that may be left out, and in any case. */
function shortNames(file: string): string[] {
  const name = path.basename(file);
  if (process.platform !== 'win32') return [name];
  const { name: bare, ext } = path.parse(name.toLowerCase());
  return [name, bare, bare + ext];
}
