import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../core/settings/environment.ts';

/** Returns a path with the home folder in place of `~` or `~/` at its beginning, as a shell reads it. */
export function withHome(path: string, env: Environment): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(env.HOME || env.USERPROFILE || homedir(), path.slice(1));
}

/** The folder of a config file, and the environment in which its paths are read. */
export interface PathContext {
  readonly folder: string;
  readonly env: Environment;
}

/** Makes a path of the config absolute: relative paths start at the folder of the config. */
export function absolutePath(path: string, { folder, env }: PathContext): string {
  return resolve(folder, withHome(path, env));
}
