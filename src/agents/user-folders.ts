import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../core/settings/environment.ts';

/** Where agents keep what belongs to their user, as the system has it. */
export interface UserFolders {
  readonly home: string;
  /** The file of Claude Code with its servers, among much else. */
  readonly claudeFile: string;
  readonly claudeDesktop: string;
  /** Where Visual Studio Code keeps what belongs to its user. */
  readonly vscodeUser: string;
  /** Where Cursor does. */
  readonly cursorUser: string;
  /** Where Zed keeps its settings. */
  readonly zed: string;
  /** `~/.codex`, or where the user moved it. */
  readonly codex: string;
  readonly windsurf: string;
}

/** The folders of the user with this environment. */
export function userFolders(env: Environment, platform: NodeJS.Platform = process.platform): UserFolders {
  const home = env.HOME || homedir();
  const config = env.XDG_CONFIG_HOME || path.join(home, '.config');
  const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
  const programs = { darwin: path.join(home, 'Library', 'Application Support'), win32: roaming }[platform as string];
  return {
    home,
    claudeFile: path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    claudeDesktop: path.join(programs ?? config, 'Claude'),
    vscodeUser: path.join(programs ?? config, 'Code', 'User'),
    cursorUser: path.join(programs ?? config, 'Cursor', 'User'),
    zed: platform === 'win32' ? path.join(roaming, 'Zed') : path.join(config, 'zed'),
    codex: env.CODEX_HOME || path.join(home, '.codex'),
    windsurf: path.join(home, '.codeium', 'windsurf'),
  };
}
