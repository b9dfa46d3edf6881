import { homedir } from 'node:os';
import path from 'node:path';
import type { UserFolders } from '../../workflows/checkpoint/adapters/priming/agents.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where agents keep what belongs to their user, on this system. */
export function userFolders(env: Environment, platform: NodeJS.Platform = process.platform): UserFolders {
  const home = env.HOME || homedir();
  const config = env.XDG_CONFIG_HOME || path.join(home, '.config');
  const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
  const programs = { darwin: path.join(home, 'Library', 'Application Support'), win32: roaming }[platform as string];
  return {
    home,
    vscodeUser: path.join(programs ?? config, 'Code', 'User'),
    cursorUser: path.join(programs ?? config, 'Cursor', 'User'),
    zed: platform === 'win32' ? path.join(roaming, 'Zed') : path.join(config, 'zed'),
    codex: env.CODEX_HOME || path.join(home, '.codex'),
  };
}
