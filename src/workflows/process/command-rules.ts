import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { nameFilter } from '../../core/name-filter.ts';

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
  const isAllowed = nameFilter({ allow, deny: [] });
  const isDenied = nameFilter({ allow: deny, deny: [] });
  return async (command, file) => {
    const target = await realpath(file);
    const isPath = path.basename(command) !== command;
    const names = isPath ? [file, target] : [command, file, target];
    return names.some(isAllowed) && ![...names, ...[command, file, target].flatMap(shortNames)].some(isDenied);
  };
}

/** The name without its folder; on Windows also without the ending that may be left out, and in whatever case. */
function shortNames(file: string): string[] {
  const name = path.basename(file);
  if (process.platform !== 'win32') return [name];
  const { name: bare, ext } = path.parse(name.toLowerCase());
  return [name, bare, bare + ext];
}
