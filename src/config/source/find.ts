import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../../core/settings/environment.ts';
import { ConfigError } from '../findings/config-error.ts';
import { checkFolders, checkOwner } from './check-owner.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { missingConfig } from './missing-config.ts';

/**
 * `named`: the user names it, with `--config` or `$VIADUCT_CONFIG`. `folder`: it lies in the working folder, so that a
 * repository can bring it along. `user`: it is this user's own, for all folders.
 */
export type ConfigScope = 'named' | 'folder' | 'user';

/** The user's decision about a config in a working folder: `changed` means that they trusted a different content. */
export type Trust = 'trusted' | 'changed' | 'untrusted';

export interface SearchOptions {
  /** Value of `--config`. */
  readonly flag?: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  /** Looks up whether the user trusts this content of a config in a working folder. */
  readonly trustOf: (file: Pick<ConfigFile, 'path' | 'sha256'>) => Promise<Trust>;
}

export interface ConfigCandidate {
  readonly path: string;
  readonly scope: ConfigScope;
}

/** A config in the working folder that is not used. */
export interface PassedOver {
  readonly path: string;
  readonly reason: Exclude<Trust, 'trusted'> | ConfigError;
}

export type FoundConfig =
  | {
      readonly found: true;
      readonly file: ConfigFile;
      readonly scope: ConfigScope;
      readonly passedOver: readonly PassedOver[];
    }
  | { readonly found: false; readonly tried: readonly string[]; readonly passedOver: readonly PassedOver[] };

const IN_FOLDER = ['viaduct.yaml', join('.viaduct', 'config.yaml')];

/** Lists the files that may be the config, best first, as absolute paths. */
export function configCandidates({ flag, env, cwd, home }: Omit<SearchOptions, 'trustOf'>): ConfigCandidate[] {
  const named = flag ?? (env.VIADUCT_CONFIG || undefined);
  // An agent's config is no shell: `~` arrives here as it was written.
  if (named !== undefined) return [{ path: resolve(cwd, named.replace(/^~(?=\/|$)/, home)), scope: 'named' }];
  return [
    ...folderConfigs(cwd).map((path) => ({ path, scope: 'folder' as const })),
    { path: userConfigPath(env, home), scope: 'user' },
  ];
}

/** Lists the files that may be the config of a working folder, best first. */
export function folderConfigs(folder: string): string[] {
  return IN_FOLDER.map((name) => join(folder, name));
}

/** Gives the working folder in which a config is found without being named; `undefined` if there is no such folder. */
export function workingFolderOf(path: string): string | undefined {
  const folder = basename(path) === IN_FOLDER[0] ? dirname(path) : dirname(dirname(path));
  return folderConfigs(folder).includes(path) ? folder : undefined;
}

/** Gives the path of this user's config for all folders. */
export function userConfigPath(env: Environment, home: string): string {
  return join(configHome(env, home), 'viaduct', 'config.yaml');
}

/** The XDG specification has relative values ignored. */
function configHome(env: Environment, home: string): string {
  const named = env.XDG_CONFIG_HOME;
  return named !== undefined && isAbsolute(named) ? named : join(home, '.config');
}

/**
 * Finds and reads the config that applies: the first candidate that is there and, if it lies in the working folder, that
 * the user trusts.
 * @throws ConfigError if the user named a file that is not there, or if that file or the user's own cannot be read or can
 * be changed by other users
 */
export async function findConfig(options: SearchOptions): Promise<FoundConfig> {
  const candidates = configCandidates(options);
  const passedOver: PassedOver[] = [];
  for (const candidate of candidates) {
    const { path, scope } = candidate;
    if (!(await isThere(path))) {
      if (scope === 'named') throw missingConfig(path, [path]);
      continue;
    }
    if (scope !== 'folder') return { found: true, file: await readOwnConfig(candidate), scope, passedOver };
    const judged = await judge(candidate, options);
    if (!('reason' in judged)) return { found: true, file: judged, scope, passedOver };
    passedOver.push(judged);
  }
  return { found: false, tried: candidates.map(({ path }) => path), passedOver };
}

/**
 * Reads a config that is to be used, once.
 * @throws ConfigError if it cannot be read, or if other users can change it; if it was not named, also if they can
 * replace it
 */
export async function readOwnConfig({ path, scope }: ConfigCandidate): Promise<ConfigFile> {
  const file = await readConfigFile(path);
  checkOwner(file);
  if (scope !== 'named') await checkFolders(path);
  return file;
}

async function judge(candidate: ConfigCandidate, { trustOf }: SearchOptions): Promise<ConfigFile | PassedOver> {
  const { path } = candidate;
  try {
    const file = await readOwnConfig(candidate);
    const trust = await trustOf(file);
    return trust === 'trusted' ? file : { path, reason: trust };
  } catch (error) {
    // A repository must not be able to keep the user's own config from being used.
    if (error instanceof ConfigError && error.path === path) return { path, reason: error };
    throw error;
  }
}

/** Returns true if a path exists. */
export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // A path that may not be looked at counts as existing: it must not be skipped silently.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
