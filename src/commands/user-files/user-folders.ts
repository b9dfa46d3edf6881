import { homedir } from 'node:os';
import { type UserFolders, userFolders } from '../../agents/user-folders.ts';
import type { Environment } from '../../core/settings/environment.ts';

/** Returns the folders of agents of the user who runs this command, on this operating system. */
export function ownUserFolders(env: Environment): UserFolders {
  return userFolders(env, { home: env.HOME || homedir(), platform: process.platform });
}
