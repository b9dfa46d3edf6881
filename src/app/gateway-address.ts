import { homedir } from 'node:os';
import path from 'node:path';
import type { GatewayEntry } from '../agents/gateway-entry.ts';
import type { Environment } from '../config/expand.ts';
import { findConfig, userConfigPath } from '../config/find.ts';
import type { ServerConfig } from '../config/schema.ts';
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
  /** What else the agent needs on this way, in words for people. */
  readonly needs: readonly string[];
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
  if (isByUrl) return { configArgs, hasConfig: found.found, ...(await byUrl(flag, env, options)) };
  const profileArgs = profile === undefined ? [] : ['--profile', profile];
  const entry = { command, args: [...args, 'stdio', ...configArgs, ...profileArgs] };
  return { entry, configArgs, hasConfig: found.found, needs: [] };
}

/** Where a gateway that the agent starts looks without being told. */
function agentPlaces(env: Environment, home: string, { isForUser }: AddressOptions): string[] {
  const user = userConfigPath(env, home);
  if (isForUser) return [user];
  return [user, path.resolve('viaduct.yaml'), path.resolve('.viaduct', 'config.yaml')];
}

async function byUrl(
  flag: string | undefined,
  env: Environment,
  { isForUser, profile }: AddressOptions,
): Promise<Pick<GatewayAddress, 'entry' | 'needs'>> {
  const { server } = (await loadSettings(flag, env, 'error')).config;
  const base = `${originOf(server)}/mcp${profile === undefined ? '' : `/${profile}`}`;
  return {
    // A client by url says nothing of its folder: the url does.
    entry: { url: isForUser ? base : `${base}?cwd=${encodeURIComponent(process.cwd())}` },
    needs: [SERVING, ...(server.tokens === undefined && server.oauth === undefined ? [] : [TOKEN])],
  };
}

const SERVING = 'the url leads to "viaduct serve", which has to run';
const TOKEN = 'the agent needs a token, too, as a header: Authorization: Bearer TOKEN (docs/ACCESS.md)';

/** Nobody can connect to "all addresses": an agent on this machine takes the one that is always there. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function originOf({ host, port, tls }: ServerConfig): string {
  const name = ALL_ADDRESSES.has(host) ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
