import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FULL_PERMISSIONS } from '../core/access/permissions.ts';
import { readListenAddress } from '../core/addresses/listen-address.ts';
import { readPorts } from '../core/addresses/port-list.ts';
import { passwordsIn } from '../core/addresses/postgres-url.ts';
import type { Environment } from '../core/settings/environment.ts';
import type { StdioEntry, UpstreamAuth, UpstreamEntry, UpstreamTls } from '../core/settings/upstream-entry.ts';
import type { WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import { type Finding, isMapping, valueAt } from './findings/finding.ts';
import { toAccess } from './profiles/profile-schema.ts';
import type { Config, ConfigFile, TokenConfig } from './schema.ts';
import { proxySecrets } from './secrets/proxy-secrets.ts';
import { isPublicName, mayBeSecret, toSecrets } from './secrets/secrets.ts';
import { type AuthFile, NO_AUTH } from './upstreams/auth-schema.ts';
import type { BrokenEntry } from './upstreams/broken-entry.ts';
import { type EntryFile, entrySchema } from './upstreams/entry-schema.ts';
import { typeOfEntry } from './upstreams/entry-types.ts';
import type { TlsFile } from './upstreams/tls-schema.ts';
import { SERVICE_SECRETS, SERVICES } from './upstreams/upstream-variables.ts';

/** Variables with secrets that workflows read where the config says nothing. */
const SECRET_VARIABLES: Readonly<Record<string, readonly string[]>> = { ml: ['INFLUX_TOKEN'] };

export interface BuildContext {
  /** Folder of the config file. */
  readonly folder: string;
  readonly env: Environment;
  /** Values that came from variables and may be secret. */
  readonly values: readonly string[];
  /** Keys of the entries in the order of the file. */
  readonly order: readonly string[];
}

/** From a file that passed every check, but for the entries in `broken`, to what the gateway works with. */
export function buildConfig(
  { defaults: _merged, ...file }: ConfigFile,
  broken: readonly BrokenEntry[],
  context: BuildContext,
): Config {
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
    broken,
    order: context.order,
    server: toServer(file.server, context),
    workspace: toWorkspace(file.workspace, context),
    log: withAbsoluteFile(file.log, context),
    audit: withAbsoluteFile(file.audit, context),
    secrets: toSecrets([
      ...context.values,
      ...entries.flatMap(({ entry }) => secretsOf(entry, context)),
      ...broken.flatMap(({ partial }) => (partial === undefined ? [] : secretsOf(partial, context))),
      ...secretsOfDatabase(file.database),
      ...secretsOfWorkflows(file.workflows),
      ...secretsOfBuilds(file.workflows, context),
      ...secretsOfModels(file.models),
      ...secretsOfVariables(file.enabledWorkflows, context.env),
      ...proxySecrets(context.env),
    ]),
  };
}

/**
 * Builds an entry that has faults, without the keys that are at fault. A variable that is not set stays as it is written.
 * @returns `undefined` if what is left is no entry
 */
export function buildPartialEntry(
  key: string,
  value: unknown,
  findings: readonly Finding[],
  context: Omit<BuildContext, 'values' | 'order'>,
): UpstreamEntry | undefined {
  if (!isMapping(value)) return undefined;
  const faulty = new Set(findings.filter(({ isUnset }) => isUnset !== true).map(({ path }) => path[2]));
  const parsed = entrySchema.safeParse(Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name))));
  if (!parsed.success) return undefined;
  const { command, url, ports } = parsed.data;
  return [command, url, ports].some((way) => way !== undefined) ? toEntry(key, parsed.data, context) : undefined;
}

function toServer(file: ConfigFile['server'], { folder, env }: BuildContext): Config['server'] {
  const { tokens, tls, tcp, ...server } = file;
  const absolute = (path: string) => resolve(folder, withHome(path, env));
  return {
    ...server,
    ...(tokens !== undefined && { tokens: tokens.map(toToken) }),
    ...(tcp !== undefined && { tcp: readListenAddress(withHome(tcp, env)) }),
    ...(tls !== undefined && { tls: { cert: absolute(tls.cert), key: absolute(tls.key) } }),
  };
}

function toToken({ name, hash, expires, ...rest }: NonNullable<ConfigFile['server']['tokens']>[number]): TokenConfig {
  const access = toAccess(rest);
  const isLimited = !isDeepStrictEqual(access, FULL_PERMISSIONS);
  return { name, hash, ...(expires !== undefined && { expires }), ...(isLimited && { access }) };
}

function withAbsoluteFile<T extends { readonly file?: string | undefined }>(section: T, context: BuildContext): T {
  const { file } = section;
  return file === undefined ? section : { ...section, file: resolve(context.folder, withHome(file, context.env)) };
}

function toWorkspace(
  { root, roots, clientFolders, ...rest }: ConfigFile['workspace'],
  { folder, env }: BuildContext,
): WorkspaceSettings {
  const absolute = (path: string) => resolve(folder, withHome(path, env));
  const named = Object.entries(roots ?? {}).map(([name, path]) => ({ name, folder: absolute(path) }));
  return {
    roots: root === undefined ? named : [{ folder: absolute(root) }],
    clientFolders: clientFolders.map(absolute),
    ...rest,
  };
}

function toEntry(key: string, file: EntryFile, context: Omit<BuildContext, 'values' | 'order'>): UpstreamEntry {
  const { folder, env } = context;
  const {
    disabled: _disabled,
    command,
    args,
    env: variables,
    cwd,
    inheritEnv,
    url,
    headers,
    tls,
    auth,
    ports,
    workspace,
    ...rest
  } = file;
  const rules = { ...rest, key, prefix: file.prefix ?? key };
  if (ports !== undefined) {
    const place = workspace === undefined ? undefined : resolve(folder, withHome(workspace, env));
    // The schema has seen to it that these are ports.
    return { ...rules, type: 'ide-rest', ports: readPorts(ports)!, workspace: place };
  }
  // `checkKinds` has seen to it that a command or a url is there, and of this type.
  const type = typeOfEntry(url === undefined ? { type: 'stdio' } : { type: file.type, url })!;
  if (type === 'unix') return { ...rules, type, url: socketUrl(url!, folder, env), headers };
  if (type !== 'stdio') {
    const secured = tls && { tls: toTls(tls, context) };
    const how = type === 'tcp' ? undefined : toAuth(auth, headers, context);
    return {
      ...rules,
      type,
      isTypeGuessed: file.type === undefined,
      url: url!,
      headers,
      ...secured,
      ...(how && { auth: how }),
    };
  }
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

function toTls(tls: TlsFile, { folder, env }: Pick<BuildContext, 'folder' | 'env'>): UpstreamTls {
  const pem = (value: string | undefined): string | undefined =>
    value === undefined || isPem(value) ? value : resolve(folder, withHome(value, env));
  return { ...tls, ca: pem(tls.ca), cert: pem(tls.cert), key: pem(tls.key) };
}

/** The text itself, as a variable may have it; anything else is a path. */
const isPem = (value: string): boolean => value.includes('-----BEGIN');

/** With the path that is meant, as it is: file names may have in them what would mean something in a url. */
function socketUrl(url: string, folder: string, env: Environment): string {
  return `unix://${resolve(folder, withHome(url.replace(/^unix:(?:\/\/)?/i, ''), env))}`;
}

/** A header that says who we are says all there is to say. */
function toAuth(
  file: AuthFile | undefined,
  headers: EntryFile['headers'],
  { folder, env }: Pick<BuildContext, 'folder' | 'env'>,
): UpstreamAuth | undefined {
  if (file === NO_AUTH) return undefined;
  if (file?.type === 'oauth') return { ...file, isWritten: true };
  if (file?.type === 'private-key-jwt')
    return isPem(file.key) ? file : { ...file, key: resolve(folder, withHome(file.key, env)) };
  if (file !== undefined) return file;
  const isSaid = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return isSaid ? undefined : { type: 'oauth', isWritten: false };
}

/** The parts of a PEM text stand on lines of their own in a log. */
function secretsOfAuth(auth: UpstreamAuth | undefined): string[] {
  if (auth === undefined) return [];
  if (auth.type !== 'private-key-jwt') return auth.clientSecret === undefined ? [] : [auth.clientSecret];
  return isPem(auth.key) ? [auth.key, ...auth.key.split('\n').filter((line) => !line.startsWith('-----'))] : [];
}

/** `~` and `~/…`, as a shell reads them. */
export function withHome(path: string, env: Environment): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  return join(env.HOME || env.USERPROFILE || homedir(), path.slice(1));
}

/** Values of `headers` with and without what a scheme such as `Bearer` puts in front, and what opens `tls`; those of `env` as below. */
function secretsOf(entry: UpstreamEntry, context: BuildContext): string[] {
  if (entry.ports !== undefined) return [];
  if (entry.url === undefined) return secretsOfProcess(entry, context);
  const { key = '', passphrase = '' } = entry.tls ?? {};
  return [
    ...Object.values(entry.headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]),
    ...(isPem(key) ? [key] : []),
    passphrase,
    ...secretsOfAuth(entry.auth),
  ];
}

/** Returns the url as a whole, and its password as it is written and as it is meant. */
function secretsOfDatabase(url = ''): string[] {
  const passwords = passwordsIn(url);
  return passwords.length === 0 ? [] : [url, ...passwords];
}

/** What their clients must show, and what they show to services. */
function secretsOfWorkflows(workflows: ConfigFile['workflows']): string[] {
  const sections = Object.values(workflows).filter(isMapping);
  const keys = sections.flatMap((options) =>
    SERVICES.flatMap((name) => SERVICE_SECRETS.map((key) => valueAt(options, [name, key]))),
  );
  return [...sections.map(({ token }) => token), ...keys].filter((value) => typeof value === 'string');
}

/** The same as those of a program behind the gateway: builds get them in their environment. */
function secretsOfBuilds(workflows: ConfigFile['workflows'], context: BuildContext): string[] {
  const builds = Object.values(workflows).flatMap((options) => Object.values(mappingAt(options, 'builds')));
  return builds.flatMap((build) => {
    const texts = Object.entries(mappingAt(build, 'env')).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return secretsOfEnvironment(Object.fromEntries(texts), context);
  });
}

function mappingAt(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = valueAt(value, [name]);
  return isMapping(found) ? found : {};
}

function secretsOfModels({ backends }: ConfigFile['models']): string[] {
  return Object.values(backends).flatMap(({ apiKey }) => apiKey ?? []);
}

/** Values of the variables that the workflows which are on read by themselves. */
function secretsOfVariables(workflows: readonly string[], env: Environment): string[] {
  return workflows.flatMap((name) => SECRET_VARIABLES[name] ?? []).flatMap((name) => env[name]?.trim() ?? []);
}

/**
 * Not of `FOLDER: ${HOME}` and the like: the home folder stands in every second line of a log. Nor plain settings, which are
 * words of names as well: `ORG: github` would hide a part of `github_search`. What comes from a variable is in
 * `context.values` in any case.
 */
function secretsOfProcess(entry: StdioEntry, context: BuildContext): string[] {
  return secretsOfEnvironment(entry.env, context);
}

function secretsOfEnvironment(variables: Readonly<Record<string, string>>, { folder, env }: BuildContext): string[] {
  const known = Object.entries(env).filter(([name]) => isPublicName(name));
  const open = new Set<string | undefined>([folder, ...known.map(([, value]) => value)]);
  return Object.entries(variables)
    .filter(([name, value]) => !isPublicName(name) && !open.has(value) && mayBeSecret(name, value))
    .map(([, value]) => value);
}
