import path from 'node:path';
import { plainText } from '../../agents/references.ts';
import type { AgentLogin } from '../../agents/shapes/login.ts';
import { isWindowsPath } from '../../agents/shapes/other-system.ts';
import { TRANSPORTS } from '../../upstream/transports/manifests/index.ts';
import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import type { FoundServer } from './agent-lists.ts';

/** The value of an entry in our config. Members without meaning are left out. */
export interface EntryValue {
  readonly [key: string]: unknown;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: 'none' | ({ readonly type: 'oauth' } & AgentLogin);
}

/** Returns our entry for a server of an agent. */
export function entryValue(
  server: FoundServer,
  configFolder: string,
  transports: TransportTable = TRANSPORTS,
): EntryValue {
  const { allow, deny, connectMs, callMs } = server;
  return {
    ...(server.command === undefined ? remoteValue(server, transports) : processValue(server, configFolder)),
    ...section('tools', { allow, deny }),
    ...section('timeouts', { connectMs, callMs }),
  };
}

function processValue(server: FoundServer, configFolder: string): EntryValue {
  const { command, args, env, fileVariables = [] } = server;
  const fromFile = fileVariables.filter((name) => !Object.hasOwn(env, name)).map((name) => [name, `\${${name}}`]);
  const cwd = folderOf(server, configFolder);
  return {
    command: command!,
    ...(args.length > 0 && { args: [...args] }),
    ...section('env', { ...Object.fromEntries(fromFile), ...env }),
    ...(cwd !== undefined && { cwd }),
  };
}

/** A project's server runs in the project's folder, as far as that is not the config's own. */
function folderOf({ cwd, root }: FoundServer, configFolder: string): string | undefined {
  if (root === undefined || root === configFolder) return cwd;
  if (cwd === undefined) return plainText(root);
  return /^[~$]/.test(cwd) || isWindowsPath(cwd) || path.isAbsolute(cwd) ? cwd : path.join(root, cwd);
}

function remoteValue({ url, headers, type, login }: FoundServer, transports: TransportTable): EntryValue {
  return {
    ...(url !== undefined && { url }),
    ...section('headers', headers),
    ...(type !== undefined && typeValue(type, url, transports)),
    ...(login !== undefined && { auth: login === 'none' ? login : { type: 'oauth' as const, ...login } }),
  };
}

/** Returns the type of an entry, as we spell it; nothing if the url means this type by itself. */
function typeValue(
  spelling: string,
  url: string | undefined,
  { manifests }: TransportTable,
): { readonly type?: string } {
  const meant = manifests.find(({ spellingsOfAgents }) => spellingsOfAgents?.test(spelling));
  if (meant === undefined) return { type: spelling };
  return meansItself(meant.addresses.url?.protocols ?? [], url) ? {} : { type: meant.type };
}

/** A path such as `unix:/x.sock` means another type than the agent does. The scheme may be in a variable. */
function meansItself(protocols: readonly string[], url: string | undefined): boolean {
  if (url === undefined || /^[^:]*\$\{/.test(url)) return true;
  return protocols.some((protocol) => url.toLowerCase().startsWith(protocol));
}

function section(name: string, members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const written = Object.entries(members).filter(([, value]) => value !== undefined);
  return written.length === 0 ? {} : { [name]: Object.fromEntries(written) };
}
