import type { GatewayEntry } from '../../agents/gateway-entry.ts';
import type { Config, ServerConfig } from '../../config/schema.ts';
import { type FoundConfig, userConfigPath } from '../../config/source/find.ts';
import { openFolders } from '../../core/folders/folder-rule.ts';
import { userHome } from '../../core/folders/user-home.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { openToClients } from '../../gateway/serving/client-folders.ts';
import { loadSettings } from '../../gateway/settings/load-settings.ts';
import { searchConfig } from '../../gateway/trust/locate-config.ts';
import { type ConfigNotice, noticeOf } from '../../gateway/trust/notices.ts';

export interface AddressOptions {
  /** The entry is for all projects of the user, not for one. */
  readonly isForUser: boolean;
  readonly isByUrl: boolean;
  /** The command that starts this program. */
  readonly command: string;
  readonly args: readonly string[];
  /** Profile of the client; without one it sees everything. */
  readonly profile?: string | undefined;
}

export interface GatewayAddress {
  readonly entry: GatewayEntry;
  /** Arguments that name the config, if the agent would not find it by itself or could find another one. */
  readonly configArgs: readonly string[];
  readonly configPath: string;
  readonly hasConfig: boolean;
  /** Configs in the working folder that are not used. */
  readonly notices: readonly ConfigNotice[];
  /** Other things that the agent needs to connect, in words for people. */
  readonly needs: readonly string[];
}

/**
 * Returns how an agent reaches the gateway with this config. An entry for all projects of the user always names the config, so
 * that no project can replace it by its own.
 * @throws ConfigError if the user names a config that does not exist, or if one is needed
 */
export async function gatewayAddress(
  flag: string | undefined,
  env: Environment,
  options: AddressOptions,
): Promise<GatewayAddress> {
  const found = await searchConfig(flag, env);
  const configPath = found.found ? found.file.path : userConfigPath(env, userHome(env));
  const { command, args, profile, isByUrl, isForUser } = options;
  const isNamed = isForUser || (found.found && !(await isFoundByAgent(found, env)));
  const configArgs = isNamed ? ['--config', configPath] : [];
  const facts = { configArgs, configPath, hasConfig: found.found, notices: found.passedOver.map(noticeOf) };
  if (isByUrl) return { ...facts, ...(await byUrl(flag, env, options)) };
  const profileArgs = profile === undefined ? [] : ['--profile', profile];
  const entry = { command, args: [...args, 'stdio', ...configArgs, ...profileArgs] };
  const isOfFolder = found.found && found.scope === 'folder';
  return { ...facts, entry, needs: isForUser && isOfFolder ? [namedWarning(configPath)] : [] };
}

/** Returns whether a gateway that an agent starts in this folder finds this config by itself. */
async function isFoundByAgent({ file, scope }: Extract<FoundConfig, { found: true }>, env: Environment) {
  if (scope !== 'named') return true;
  // If another config cannot be used, the agent has to be told which one to take.
  const byItself = await searchConfig(undefined, { ...env, VIADUCT_CONFIG: '' }).catch(() => undefined);
  return byItself?.found === true && byItself.file.path === file.path;
}

function namedWarning(configPath: string): string {
  return `the agent uses ${configPath} in all folders, also when it changes: a config that is named needs no trust`;
}

async function byUrl(
  flag: string | undefined,
  env: Environment,
  { isForUser, profile }: AddressOptions,
): Promise<Pick<GatewayAddress, 'entry' | 'needs'>> {
  const { config, configPath } = await loadSettings(flag, env, 'error');
  const { server, workspace } = config;
  const base = `${originOf(server)}/mcp${profile === undefined ? '' : `/${profile}`}`;
  return {
    // A client by url says nothing of its folder: the url does.
    entry: { url: isForUser ? base : `${base}?cwd=${encodeURIComponent(process.cwd())}` },
    needs: [
      SERVING,
      ...(server.tokens === undefined && server.oauth === undefined ? [] : [TOKEN]),
      ...(isForUser || (await isOpen(process.cwd(), workspace)) ? [] : [closedFolder(process.cwd(), configPath)]),
    ],
  };
}

async function isOpen(folder: string, workspace: Config['workspace']): Promise<boolean> {
  const rule = openFolders({ folders: () => openToClients(workspace), onRefused: () => undefined });
  return (await rule.admit(folder)) !== undefined;
}

function closedFolder(folder: string, configPath: string): string {
  const setting = `workspace: { clientFolders: [${JSON.stringify(folder)}] }`;
  return `agents that come by the url may not use files and checkpoints in this folder: write ${setting} in ${configPath}`;
}

const SERVING = 'the url leads to "viaduct serve", which has to run';
const TOKEN = 'the agent needs a token, too, as a header: Authorization: Bearer TOKEN (docs/ACCESS.md)';

/** Addresses to listen on that clients cannot connect to; an agent on this machine uses the loopback address instead. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function originOf({ host, port, tls }: ServerConfig): string {
  const name = ALL_ADDRESSES.has(host) ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
