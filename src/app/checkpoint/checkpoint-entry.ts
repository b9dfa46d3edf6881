import { homedir } from 'node:os';
import path from 'node:path';
import type { GatewayEntry } from '../../agents/gateway-entry.ts';
import { findConfig, userConfigPath } from '../../config/find.ts';
import { loadSettings } from '../load-settings.ts';
import { isCheckpointOn } from './checkpoints-only.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface EntryOptions {
  readonly isForUser: boolean;
  readonly isByUrl: boolean;
  /** How this program is started. */
  readonly command: string;
  readonly args: readonly string[];
}

export interface CheckpointEntry {
  readonly entry: GatewayEntry;
  /** Names the config, where the agent would not find it by itself. */
  readonly configArgs: readonly string[];
  /** What is missing before checkpoints work. */
  readonly hint: string | undefined;
}

/**
 * How an agent reaches the gateway with this config.
 * @throws ConfigError where the user names a config that is not there, or one is needed
 */
export async function checkpointEntry(
  flag: string | undefined,
  env: Environment,
  options: EntryOptions,
): Promise<CheckpointEntry> {
  const home = env.HOME || homedir();
  const found = await findConfig({ flag, env, cwd: process.cwd(), home });
  const isFoundByAgent = found.found && agentPlaces(env, home, options).includes(found.path);
  const configArgs = found.found && !isFoundByAgent ? ['--config', found.path] : [];
  const entry = options.isByUrl
    ? { url: await urlFor(flag, env, options) }
    : { command: options.command, args: [...options.args, 'stdio', ...configArgs] };
  return { entry, configArgs, hint: found.found ? await hintFor(flag, env) : NO_CONFIG };
}

const NO_CONFIG =
  'there is no config yet: write one with "viaduct init --global", and in it enabledWorkflows: [checkpoint]';

/** Where a gateway that the agent starts looks without being told. */
function agentPlaces(env: Environment, home: string, { isForUser }: EntryOptions): string[] {
  const user = userConfigPath(env, home);
  if (isForUser) return [user];
  return [user, path.resolve('viaduct.yaml'), path.resolve('.viaduct', 'config.yaml')];
}

/** A client by url says nothing of its folder: the url does. */
async function urlFor(flag: string | undefined, env: Environment, { isForUser }: EntryOptions): Promise<string> {
  const { config } = await loadSettings(flag, env, 'error');
  const { host, port } = config.server;
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
  return isForUser ? base : `${base}?cwd=${encodeURIComponent(process.cwd())}`;
}

async function hintFor(flag: string | undefined, env: Environment): Promise<string | undefined> {
  const settings = await loadSettings(flag, env, 'error');
  if (isCheckpointOn(settings)) return undefined;
  return `the workflow is off: add it in ${settings.configPath}, as in enabledWorkflows: [checkpoint]`;
}
