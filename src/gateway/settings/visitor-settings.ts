import { ConfigError } from '../../config/findings/config-error.ts';
import { userConfigPath } from '../../config/source/find.ts';
import { MISSING } from '../../config/source/missing-config.ts';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { createLog, type LogLevel } from '../../telemetry/log.ts';
import { Masker } from '../../telemetry/masker.ts';
import { findRunning } from '../shared/find-running.ts';
import { UntrustedConfigError } from '../trust/locate-config.ts';
import { ConfigNotices } from '../trust/notices.ts';
import { loadSettings, type Settings } from './load-settings.ts';
import { homeFolder } from './paths.ts';

/** The settings that are needed to use a running gateway. */
export type VisitorSettings = RunnableSettings | DaemonOnlySettings;

/** The same of a config that was looked for. */
export type FoundSettings = (Settings & { readonly error?: undefined }) | DaemonOnlySettings;

interface RunnableSettings extends Omit<Settings, 'source'> {
  readonly error?: undefined;
}

/** The config cannot be used as its file is now, but a gateway runs with what the file said before. */
interface DaemonOnlySettings extends Omit<Settings, 'source' | 'config'> {
  readonly config?: undefined;
  readonly error: ConfigError;
}

/**
 * Reads the config as `loadSettings` does. If it cannot be used, but a gateway runs for it, gives what is needed to use that
 * gateway.
 * @throws ConfigError if the config cannot be used and no gateway runs for it
 */
export async function loadVisitorSettings(
  flag: string | undefined,
  env: Environment,
  level?: LogLevel,
): Promise<VisitorSettings> {
  try {
    return await loadSettings(flag, env, level);
  } catch (error) {
    const settings = error instanceof ConfigError ? await daemonOnly(error, { flag, env, level }) : undefined;
    if (settings === undefined) throw error;
    return settings;
  }
}

/**
 * Gives what is needed to use the gateway that runs for a config that cannot be used.
 * @returns `undefined` if none runs, or if the config is one that the user does not trust
 */
export async function daemonOnly(
  error: ConfigError,
  options: { readonly flag: string | undefined; readonly env: Environment; readonly level?: LogLevel | undefined },
): Promise<DaemonOnlySettings | undefined> {
  if (error instanceof UntrustedConfigError) return undefined;
  const home = homeFolder(options.env);
  for (const configPath of pathsOf(error, options)) {
    const running = await findRunning({ home, configPath }, options.env);
    if (running === undefined) continue;
    running.socket.destroy();
    const masker = new Masker();
    const log = createLog({ level: options.level ?? 'info', masker });
    return { error, configPath, home, notices: new ConfigNotices([]), masker, log };
  }
  return undefined;
}

/** If no config is there at all, the one that a gateway runs with may have been the user's own. */
function pathsOf(
  { path, issues }: ConfigError,
  { flag, env }: { readonly flag: string | undefined; readonly env: Environment },
): string[] {
  const isNamed = flag !== undefined || Boolean(env.VIADUCT_CONFIG);
  const isMissing = issues[0]?.message === MISSING;
  return isMissing && !isNamed ? [path, userConfigPath(env, userHome(env))] : [path];
}
