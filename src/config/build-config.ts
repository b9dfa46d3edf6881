import { isDeepStrictEqual } from 'node:util';
import { FULL_PERMISSIONS } from '../core/access/permissions.ts';
import { readListenAddress } from '../core/addresses/listen-address.ts';
import type { WorkspaceSettings } from '../core/settings/workspace-settings.ts';
import { absolutePath, type PathContext, withHome } from './home-path.ts';
import { toAccess } from './profiles/profile-schema.ts';
import type { Config, ConfigFile, TokenConfig } from './schema.ts';
import { toGateway } from './server/gateway-schema.ts';
import type { BrokenEntry } from './upstreams/broken-entry.ts';
import { buildEntry, type EntryContext } from './upstreams/build-entry.ts';

export interface BuildContext extends EntryContext {
  /** Entries that have a fault. */
  readonly broken: readonly BrokenEntry[];
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  /** Names of the variables that the file uses. */
  readonly variables: readonly string[];
  /** Names of the entries in the order of the file. */
  readonly order: readonly string[];
}

/** Builds what the gateway works with from a file that passed every check, without its broken entries. */
export function buildConfig({ defaults: _merged, ...file }: ConfigFile, context: BuildContext): Config {
  const entries = context.order.flatMap((key) => {
    const entry = file.upstreams[key];
    return entry === undefined ? [] : [{ disabled: entry.disabled, entry: buildEntry(key, entry, context) }];
  });
  return {
    ...file,
    enabledWorkflows: [...new Set(file.enabledWorkflows)],
    upstreams: entries.filter(({ disabled }) => !disabled).map(({ entry }) => entry),
    profiles: Object.fromEntries(Object.entries(file.profiles).map(([name, profile]) => [name, toAccess(profile)])),
    disabled: entries.filter(({ disabled }) => disabled).map(({ entry }) => entry),
    broken: context.broken,
    order: context.order,
    policies: file.policies ?? {},
    gateway: toGateway(file.gateway),
    server: toServer(file.server, context),
    workspace: toWorkspace(file.workspace, context),
    log: withAbsoluteFile(file.log, context),
    audit: withAbsoluteFile(file.audit, context),
    secrets: context.secrets,
    variables: context.variables,
  };
}

function toServer(file: ConfigFile['server'], context: PathContext): Config['server'] {
  const { tokens, tls, tcp, ...server } = file;
  const absolute = (path: string) => absolutePath(path, context);
  return {
    ...server,
    ...(tokens !== undefined && { tokens: tokens.map(toToken) }),
    ...(tcp !== undefined && { tcp: readListenAddress(withHome(tcp, context.env)) }),
    ...(tls !== undefined && { tls: { cert: absolute(tls.cert), key: absolute(tls.key) } }),
  };
}

function toToken({ name, hash, expires, ...rest }: NonNullable<ConfigFile['server']['tokens']>[number]): TokenConfig {
  const access = toAccess(rest);
  const isLimited = !isDeepStrictEqual(access, FULL_PERMISSIONS);
  return { name, hash, ...(expires !== undefined && { expires }), ...(isLimited && { access }) };
}

function withAbsoluteFile<T extends { readonly file?: string | undefined }>(section: T, context: PathContext): T {
  const { file } = section;
  return file === undefined ? section : { ...section, file: absolutePath(file, context) };
}

function toWorkspace(
  { root, roots, clientFolders, ...rest }: ConfigFile['workspace'],
  context: PathContext,
): WorkspaceSettings {
  const absolute = (path: string) => absolutePath(path, context);
  const named = Object.entries(roots ?? {}).map(([name, path]) => ({ name, folder: absolute(path) }));
  return {
    roots: root === undefined ? named : [{ folder: absolute(root) }],
    clientFolders: clientFolders.map(absolute),
    ...rest,
  };
}
