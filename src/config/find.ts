import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from './expand.ts';
import { missingConfig } from './missing-config.ts';

export interface SearchOptions {
  /** Value of `--config`. */
  readonly flag?: string | undefined;
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
}

export interface ConfigCandidate {
  readonly path: string;
  /** Named by the user: then no other file is looked for. */
  readonly explicit: boolean;
}

export type FoundConfig =
  | { readonly found: true; readonly path: string }
  | { readonly found: false; readonly tried: readonly string[] };

/** The files that may be the config, best first, as absolute paths. */
export function configCandidates({ flag, env, cwd, home }: SearchOptions): ConfigCandidate[] {
  const named = flag ?? (env.VIADUCT_CONFIG || undefined);
  // An agent's config is no shell: `~` arrives here as it was written.
  if (named !== undefined) return [{ path: resolve(cwd, named.replace(/^~(?=\/|$)/, home)), explicit: true }];
  const paths = [join(cwd, 'viaduct.yaml'), join(cwd, '.viaduct', 'config.yaml'), userConfigPath(env, home)];
  return paths.map((path) => ({ path, explicit: false }));
}

/** The config of this user, for all folders. */
export function userConfigPath(env: Environment, home: string): string {
  return join(configHome(env, home), 'viaduct', 'config.yaml');
}

/** The XDG specification has relative values ignored. */
function configHome(env: Environment, home: string): string {
  const named = env.XDG_CONFIG_HOME;
  return named !== undefined && isAbsolute(named) ? named : join(home, '.config');
}

/**
 * The first candidate that is there. It may still be unreadable: that is for `loadConfig` to say.
 * @throws ConfigError if the user named a file that is not there
 */
export async function findConfig(options: SearchOptions): Promise<FoundConfig> {
  const candidates = configCandidates(options);
  for (const { path, explicit } of candidates) {
    if (await isThere(path)) return { found: true, path };
    if (explicit) throw missingConfig(path, [path]);
  }
  return { found: false, tried: candidates.map(({ path }) => path) };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // Whatever may not be looked at is there, and must not be passed over for another config.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
