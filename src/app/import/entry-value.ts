import path from 'node:path';
import { plainText } from '../../agents/references.ts';
import type { FoundServer } from './agent-lists.ts';

/** What an entry of ours says of a server. Members that say nothing are left out. */
export interface EntryValue {
  readonly [key: string]: unknown;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Our entry for a server of an agent. */
export function entryValue(server: FoundServer, configFolder: string): EntryValue {
  const { allow, deny, connectMs, callMs } = server;
  return {
    ...(isRemote(server) ? remoteValue(server) : processValue(server, configFolder)),
    ...section('tools', { allow, deny }),
    ...section('timeouts', { connectMs, callMs }),
  };
}

/** An entry may have both; its type says which is meant. */
function isRemote({ command, url, type }: FoundServer): boolean {
  if (command === undefined) return true;
  return url !== undefined && type !== undefined && type !== 'stdio';
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
  return /^[~$]/.test(cwd) || path.isAbsolute(cwd) ? cwd : path.join(root, cwd);
}

function remoteValue({ url, headers, type }: FoundServer): EntryValue {
  return {
    ...(url !== undefined && { url }),
    ...section('headers', headers),
    // Agents spell the one that a url means by itself in several ways.
    ...(type !== undefined && !/^(streamable[-_]?)?http$/i.test(type) && { type }),
  };
}

function section(name: string, members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const written = Object.entries(members).filter(([, value]) => value !== undefined);
  return written.length === 0 ? {} : { [name]: Object.fromEntries(written) };
}
