import path from 'node:path';
import { plainText } from '../../agents/references.ts';
import type { AgentLogin } from '../../agents/shapes/login.ts';
import { isWindowsPath } from '../../agents/shapes/other-system.ts';
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
export function entryValue(server: FoundServer, configFolder: string): EntryValue {
  const { allow, deny, connectMs, callMs } = server;
  return {
    ...(server.command === undefined ? remoteValue(server) : processValue(server, configFolder)),
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

function remoteValue({ url, headers, type, login }: FoundServer): EntryValue {
  return {
    ...(url !== undefined && { url }),
    ...section('headers', headers),
    ...(type !== undefined && !isPlainHttp(type, url) && { type: HTTP.test(type) ? 'http' : type }),
    ...(login !== undefined && { auth: login === 'none' ? login : { type: 'oauth' as const, ...login } }),
  };
}

/** Matches the spellings of the type that a URL implies anyway. */
const HTTP = /^(?:(?:streamable[-_]?)?http|remote)$/i;

/** A path such as `unix:/x.sock` means another type than the agent does. */
function isPlainHttp(type: string, url: string | undefined): boolean {
  return HTTP.test(type) && (url === undefined || /^https?:|^[^:]*\$\{/i.test(url));
}

function section(name: string, members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const written = Object.entries(members).filter(([, value]) => value !== undefined);
  return written.length === 0 ? {} : { [name]: Object.fromEntries(written) };
}
