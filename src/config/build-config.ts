import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FULL_ACCESS } from '../core/access.ts';
import type { StdioEntry, UpstreamEntry } from '../core/upstream-entry.ts';
import type { EntryFile } from './entry-schema.ts';
import { typeOfEntry } from './entry-types.ts';
import type { Environment } from './expand.ts';
import { toAccess } from './profile-schema.ts';
import type { Config, ConfigFile, TokenConfig } from './schema.ts';
import { isPublicName, toSecrets } from './secrets.ts';

export interface BuildContext {
  /** Folder of the config file. */
  readonly folder: string;
  readonly env: Environment;
  /** Values that came from variables and may be secret. */
  readonly values: readonly string[];
  /** Keys of the entries in the order of the file. */
  readonly order: readonly string[];
}

/** From a file that passed every check to what the gateway works with. */
export function buildConfig(file: ConfigFile, context: BuildContext): Config {
  const entries = context.order.flatMap((key) => {
    const entry = file.upstreams[key];
    return entry === undefined ? [] : [{ disabled: entry.disabled, entry: toEntry(key, entry, context) }];
  });
  return {
    ...file,
    enabledWorkflows: [...new Set(file.enabledWorkflows)],
    upstreams: entries.filter(({ disabled }) => !disabled).map(({ entry }) => entry),
    profiles: Object.fromEntries(Object.entries(file.profiles).map(([name, profile]) => [name, toAccess(profile)])),
    disabled: entries.filter(({ disabled }) => disabled).map(({ entry }) => entry),
    server: toServer(file.server, context),
    log: toLog(file.log, context),
    secrets: toSecrets([
      ...context.values,
      ...entries.flatMap(({ entry }) => secretsOf(entry, context)),
      ...secretsOfDatabase(file.database),
    ]),
  };
}

function toServer(file: ConfigFile['server'], { folder, env }: BuildContext): Config['server'] {
  const { tokens, tls, ...server } = file;
  const absolute = (path: string) => resolve(folder, withHome(path, env));
  return {
    ...server,
    ...(tokens !== undefined && { tokens: tokens.map(toToken) }),
    ...(tls !== undefined && { tls: { cert: absolute(tls.cert), key: absolute(tls.key) } }),
  };
}

function toToken({ name, hash, expires, ...rest }: NonNullable<ConfigFile['server']['tokens']>[number]): TokenConfig {
  const access = toAccess(rest);
  const isLimited = !isDeepStrictEqual(access, FULL_ACCESS);
  return { name, hash, ...(expires !== undefined && { expires }), ...(isLimited && { access }) };
}

function toLog({ file, ...log }: ConfigFile['log'], { folder, env }: BuildContext): Config['log'] {
  return file === undefined ? log : { ...log, file: resolve(folder, withHome(file, env)) };
}

function toEntry(key: string, file: EntryFile, { folder, env }: BuildContext): UpstreamEntry {
  const { disabled: _disabled, command, args, env: variables, cwd, inheritEnv, url, headers, ...rest } = file;
  const rules = { ...rest, key, prefix: file.prefix ?? key };
  // `checkKinds` has seen to it that a command or a url is there, and of this type.
  const type = typeOfEntry(url === undefined ? { type: 'stdio' } : { type: file.type, url })!;
  if (type !== 'stdio') return { ...rules, type, url: url!, headers };
  return {
    ...rules,
    type,
    command: command!,
    args,
    env: variables,
    cwd: resolve(folder, withHome(cwd ?? '.', env)),
    inheritEnv,
  };
}

/** `~` and `~/…`, as a shell reads them. */
export function withHome(path: string, env: Environment): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(env.HOME || env.USERPROFILE || homedir(), path.slice(1));
}

/** Values of `headers` with and without what a scheme such as `Bearer` puts in front; those of `env` as below. */
function secretsOf(entry: UpstreamEntry, context: BuildContext): string[] {
  if (entry.url === undefined) return secretsOfProcess(entry, context);
  return Object.values(entry.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]);
}

/** The url as a whole, and its password as it is written and as it is meant. */
function secretsOfDatabase(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { password } = new URL(url);
  return password === '' ? [] : [url, password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Not of `FOLDER: ${HOME}` and the like: the home folder stands in every second line of a log. */
function secretsOfProcess(entry: StdioEntry, { folder, env }: BuildContext): string[] {
  const known = Object.entries(env).filter(([name]) => isPublicName(name));
  const open = new Set<string | undefined>([folder, ...known.map(([, value]) => value)]);
  return Object.entries(entry.env)
    .filter(([name, value]) => !isPublicName(name) && !open.has(value))
    .map(([, value]) => value);
}
