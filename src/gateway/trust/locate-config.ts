import { ConfigError } from '../../config/findings/config-error.ts';
import { type FoundConfig, findConfig } from '../../config/source/find.ts';
import { missingConfig } from '../../config/source/missing-config.ts';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { homeFolder } from '../settings/paths.ts';
import { noticeLine, noticeOf } from './notices.ts';
import { trustOf } from './trust-file.ts';

/** A config that was found and read. */
export type LocatedConfig = Extract<FoundConfig, { found: true }>;

/**
 * Finds and reads the config that applies in this folder.
 * @throws ConfigError if a config that applies cannot be used
 */
export function searchConfig(flag: string | undefined, env: Environment): Promise<FoundConfig> {
  const home = homeFolder(env);
  return findConfig({
    flag,
    env,
    cwd: process.cwd(),
    home: userHome(env),
    trustOf: (file) => trustOf(home, file),
  });
}

/**
 * The same where a config is needed.
 * @throws ConfigError also when there is none; it says which files were looked for, and which one is not trusted
 */
export async function locateConfig(flag: string | undefined, env: Environment): Promise<LocatedConfig> {
  const found = await searchConfig(flag, env);
  if (found.found) return found;
  throw noConfig(found);
}

/** The only config that there is lies in the working folder and is not used. */
export class UntrustedConfigError extends ConfigError {}

/** Returns the error that no config applies: it says why, and what to do. */
export function noConfig({ tried, passedOver }: Extract<FoundConfig, { found: false }>): ConfigError {
  const [first, ...others] = passedOver.map(noticeOf);
  if (first === undefined) return missingConfig(tried[0]!, tried);
  const hint = [
    `To use it: ${first.fix}`,
    ...others.map(noticeLine),
    'There is no other config. Looked for:',
    ...tried.map((path) => `  ${path}`),
  ].join('\n');
  const { path, message, fix } = first;
  return new UntrustedConfigError(path, [{ line: 0, column: 0, jsonPath: '', message, hint, fix }]);
}
