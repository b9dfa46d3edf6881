import path from 'node:path';
import type { ProtectedName } from './rules.ts';

/**
 * The folders of version control itself, with settings and hooks that name commands. All of it: a file such as `commondir` or
 * `sharedpath` leads to other settings and hooks, and only the programs themselves write there.
 */
const OWN_FOLDERS = ['.git', '.hg', '.svn', '.jj', '.sl', '.bzr', '_darcs'];
const SETTINGS = ['.gitconfig', '.hgrc'];
/** Usual names of a folder of hooks that a project's settings name (core.hooksPath), where a setup may still have to name it. */
const HOOKS = ['.husky', '.githooks'];

/** Names that are protected in every folder. `.gitmodules` and `.gitattributes` are not: git takes no commands from them. */
export const VERSION_CONTROL: readonly ProtectedName[] = [
  ...OWN_FOLDERS.map((pattern) => ({
    pattern,
    what: 'the folder of a version control, with the commands that it runs',
  })),
  ...SETTINGS.map((pattern) => ({ pattern, what: 'settings of a version control, which may name commands' })),
  ...HOOKS.map((pattern) => ({ pattern, what: 'a folder of hooks, which git runs' })),
];

/** Returns the settings of git for all repositories of a user (git-config, "FILES"). */
export function gitSettingsOf(userHome: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const config = env.XDG_CONFIG_HOME || path.join(userHome, '.config');
  const named = env.GIT_CONFIG_GLOBAL ? [path.resolve(env.GIT_CONFIG_GLOBAL)] : [];
  return [...named, path.join(userHome, '.gitconfig'), path.join(config, 'git', 'config')];
}
