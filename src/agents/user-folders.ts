import path from 'node:path';
import type { Environment } from '../core/settings/environment.ts';

/** The folders and files in which agents keep what belongs to their user. */
export interface UserFolders {
  readonly home: string;
  /** The file of Claude Code with its servers, among much else. */
  readonly claudeFile: string;
  /** The folder of Claude Code with its settings and sessions. */
  readonly claudeFolder: string;
  readonly claudeDesktop: string;
  /** The folder of Visual Studio Code with the user's settings. */
  readonly vscodeUser: string;
  /** The folder of Cursor with the user's settings. */
  readonly cursorUser: string;
  /** The folder of Zed with its settings. */
  readonly zed: string;
  /** `~/.codex`, unless the user has moved it. */
  readonly codex: string;
  readonly windsurf: string;
}

/** The user's home folder, and the operating system, which decides where programs keep their settings. */
export interface UserSystem {
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Returns the folders of the user with this environment. */
export function userFolders(env: Environment, { home, platform }: UserSystem): UserFolders {
  const config = env.XDG_CONFIG_HOME || path.join(home, '.config');
  const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
  const programs = { darwin: path.join(home, 'Library', 'Application Support'), win32: roaming }[platform as string];
  return {
    home,
    claudeFile: path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    claudeFolder: env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'),
    claudeDesktop: path.join(programs ?? config, 'Claude'),
    vscodeUser: path.join(programs ?? config, 'Code', 'User'),
    cursorUser: path.join(programs ?? config, 'Cursor', 'User'),
    zed: platform === 'win32' ? path.join(roaming, 'Zed') : path.join(config, 'zed'),
    codex: env.CODEX_HOME || path.join(home, '.codex'),
    windsurf: path.join(home, '.codeium', 'windsurf'),
  };
}
