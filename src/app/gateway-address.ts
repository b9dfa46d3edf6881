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
  /** Clients by url have to show a token. */
  readonly isGuarded: boolean;
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
  const facts = { configArgs, hasConfig: found.found };
  if (isByUrl) return { ...facts, ...(await addressByUrl(flag, env, options)) };
  return { ...facts, entry: { command, args: [...args, 'stdio', ...configArgs, ...profileArgs] }, isGuarded: false };
}

/** Where a gateway that the agent starts looks without being told. */
function agentPlaces(env: Environment, home: string, { isForUser }: AddressOptions): string[] {
  const user = userConfigPath(env, home);
  if (isForUser) return [user];
  return [user, path.resolve('viaduct.yaml'), path.resolve('.viaduct', 'config.yaml')];
}

/** A client by url says nothing of its folder: the url does. */
async function addressByUrl(
  flag: string | undefined,
  env: Environment,
  { isForUser, profile }: AddressOptions,
): Promise<Pick<GatewayAddress, 'entry' | 'isGuarded'>> {
  const { config } = await loadSettings(flag, env, 'error');
  const { host, port, tls, tokens, oauth } = config.server;
  const origin = `${tls === undefined ? 'http' : 'https'}://${reachable(host)}:${port}`;
  const base = `${origin}/mcp${profile === undefined ? '' : `/${profile}`}`;
  const url = isForUser ? base : `${base}?cwd=${encodeURIComponent(process.cwd())}`;
  return { entry: { url }, isGuarded: tokens !== undefined || oauth !== undefined };
}

/** What listens on all addresses of this machine is reached by one of them. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
