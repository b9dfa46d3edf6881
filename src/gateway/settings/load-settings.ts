import { type FileModel, fileModel } from '../../config/file-model.ts';
import { ConfigError } from '../../config/findings/config-error.ts';
import { type LoadOptions, parseRunnableConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import type { ConfigScope } from '../../config/source/find.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { policyOptions } from '../../policy/policy-set.ts';
import { createLog, type Log, type LogLevel, type LogOptions } from '../../telemetry/log.ts';
import { Masker } from '../../telemetry/masker.ts';
import { WORKFLOWS } from '../../workflows/index.ts';
import { type LocatedConfig, locateConfig } from '../trust/locate-config.ts';
import { ConfigNotices, noticeOf } from '../trust/notices.ts';
import { homeFolder } from './paths.ts';

export interface Settings {
  readonly config: Config;
  readonly configPath: string;
  /** The scope in which the config was found, and the SHA-256 of the content that was read. */
  readonly source: { readonly scope: ConfigScope; readonly sha256: string };
  readonly notices: ConfigNotices;
  readonly home: string;
  readonly log: Log;
  readonly masker: Masker;
}

/** Returns what is known about the keys of config files of this build. */
export const configModel = (): FileModel => fileModel(loadOptions({}));

/** Returns the options with which configs of this build are read. */
export function loadOptions(env: Environment): LoadOptions {
  return {
    env,
    knownWorkflows: WORKFLOWS.map(({ name }) => name),
    workflowOptions: Object.fromEntries(WORKFLOWS.map(({ name, options }) => [name, options])),
    policyOptions: policyOptions(),
    reservedPrefixes: Object.fromEntries(
      // The name is the key of the upstream that a workflow brings along; of other workflows an upstream may have it.
      WORKFLOWS.filter(({ prefixes }) => prefixes.length > 0).flatMap(({ name, prefixes }) =>
        [name, ...prefixes].map((prefix) => [prefix, `workflow ${name}`]),
      ),
    ),
  };
}

/**
 * Finds and reads the config, and sets up the log so that no secret of it is ever written.
 * @throws ConfigError that says what is wrong, where, and what to do
 */
export async function loadSettings(flag: string | undefined, env: Environment, level?: LogLevel): Promise<Settings> {
  return settingsOf(await locateConfig(flag, env), env, level);
}

/**
 * The same for a config that was found and read.
 * @param destination gets the lines of the log instead of standard error
 */
export function settingsOf(
  { file: { path: configPath, text, sha256 }, scope, passedOver }: LocatedConfig,
  env: Environment,
  level?: LogLevel,
  destination?: LogOptions['destination'],
): Settings {
  const config = parseRunnableConfig(text, { ...loadOptions(env), path: configPath });
  const masker = new Masker();
  registerSecrets(masker, config);
  return {
    config,
    configPath,
    source: { scope, sha256 },
    notices: new ConfigNotices(passedOver.map(noticeOf)),
    home: homeFolder(env),
    masker,
    // A log that gets nothing needs no file.
    log: openLog(configPath, {
      level: level ?? config.log.level,
      file: level === 'silent' ? undefined : config.log.file,
      masker,
      ...(destination !== undefined && { destination }),
    }),
  };
}

function openLog(configPath: string, options: LogOptions): Log {
  try {
    return createLog(options);
  } catch (cause) {
    const message = `the file cannot be opened: ${(cause as Error).message}`;
    throw new ConfigError(configPath, [{ line: 0, column: 0, jsonPath: 'log.file', message }], { cause });
  }
}

/** Tells the masker what must not be shown, and which words are names that must. */
export function registerSecrets(masker: Masker, config: Config): void {
  for (const secret of config.secrets) masker.add(secret);
  const entries = [...config.upstreams, ...config.disabled];
  masker.spare([
    ...entries.flatMap(({ key, prefix }) => [key, prefix]),
    ...WORKFLOWS.flatMap(({ name, prefixes }) => [name, ...prefixes]),
    ...Object.keys(config.profiles),
  ]);
}
