import { type UserFolders, userFolders } from '../../agents/user-folders.ts';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';

/** Returns the folders of agents of the user who runs this command, on this operating system. */
export function ownUserFolders(env: Environment): UserFolders {
  return userFolders(env, { home: userHome(env), platform: process.platform });
}
