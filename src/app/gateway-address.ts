import { homedir } from 'node:os';
import path from 'node:path';
import type { GatewayEntry } from '../agents/gateway-entry.ts';
import type { Environment } from '../config/expand.ts';
import { findConfig, userConfigPath } from '../config/find.ts';
import { loadSettings } from './load-settings.ts';

export interface AddressOptions {
  /** For all projects of the user, not for one. */
  readonly isForUser: boolean;
  readonly isByUrl: boolean;
  /** How this program is started. */
  readonly command: string;
  readonly args: readonly string[];
  /** What the client is to see of the gateway; all of it without one. */
  readonly profile?: string | undefined;
}

export interface GatewayAddress {
  readonly entry: GatewayEntry;
  /** Names the config, where the agent would not find it by itself. */
  readonly configArgs: readonly string[];
  readonly hasConfig: boolean;
}

/**
 * How an agent reaches the gateway with this config.
 * @throws ConfigError where the user names a config that is not there, or one is needed
 */
export async function gatewayAddress(
  flag: string | undefined,
  env: Environment,
  options: AddressOptions,
): Promise<GatewayAddress> {
  const home = env.HOME || homedir();
  const found = await findConfig({ flag, env, cwd: process.cwd(), home });
  const isFoundByAgent = found.found && agentPlaces(env, home, options).includes(found.path);
  const configArgs = found.found && !isFoundByAgent ? ['--config', found.path] : [];
  const { command, args, profile, isByUrl } = options;
  const profileArgs = profile === undefined ? [] : ['--profile', profile];
  const entry = isByUrl
    ? { url: await urlFor(flag, env, options) }
    : { command, args: [...args, 'stdio', ...configArgs, ...profileArgs] };
  return { entry, configArgs, hasConfig: found.found };
}

/** Where a gateway that the agent starts looks without being told. */
function agentPlaces(env: Environment, home: string, { isForUser }: AddressOptions): string[] {
  const user = userConfigPath(env, home);
  if (isForUser) return [user];
  return [user, path.resolve('viaduct.yaml'), path.resolve('.viaduct', 'config.yaml')];
}

/** A client by url says nothing of its folder: the url does. */
async function urlFor(
  flag: string | undefined,
  env: Environment,
  { isForUser, profile }: AddressOptions,
): Promise<string> {
  const { config } = await loadSettings(flag, env, 'error');
  const { host, port } = config.server;
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp${profile === undefined ? '' : `/${profile}`}`;
  return isForUser ? base : `${base}?cwd=${encodeURIComponent(process.cwd())}`;
}
