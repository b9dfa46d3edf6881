import { readPorts } from '../../core/addresses/port-list.ts';
import type {
  RemoteEntry,
  StdioEntry,
  UpstreamAuth,
  UpstreamEntry,
  UpstreamTls,
  WindowsEntry,
} from '../../core/settings/upstream-entry.ts';
import type { TransportManifest } from '../../upstream/transports/manifests/manifest.ts';
import type { TransportTable } from '../../upstream/transports/manifests/transport-table.ts';
import { type Finding, isMapping } from '../findings/finding.ts';
import { absolutePath, type PathContext } from '../home-path.ts';
import { type AuthFile, NO_AUTH } from './auth-schema.ts';
import { type EntryFile, entrySchema } from './entry-schema.ts';
import type { TlsFile } from './tls-schema.ts';

/** The surroundings in which an entry is built. */
export interface EntryContext extends PathContext {
  readonly transports: TransportTable;
}

/** The members that all entries have, with any kind of address. */
type Rules = Omit<StdioEntry, 'url' | 'ports' | 'command' | 'args' | 'env' | 'cwd' | 'inheritEnv'>;

/** Builds an entry that passed every check. */
export function buildEntry(key: string, file: EntryFile, context: EntryContext): UpstreamEntry {
  const { disabled: _, command, args, env, cwd, inheritEnv, url, headers, tls, auth, ports, workspace, ...rest } = file;
  // `checkAddresses` has checked that there is one address, and that the type agrees with it.
  const manifest = context.transports.forEntry(written({ type: file.type, command, url, ports }))!;
  const rules = { ...rest, key, prefix: file.prefix ?? key, type: manifest.type };
  if (ports !== undefined) return toWindows(rules, { ports, workspace }, context);
  const remote = { headers, tls, auth, isTypeGuessed: file.type === undefined };
  if (url !== undefined) return toRemote(rules, { ...remote, url }, manifest, context);
  return { ...rules, command: command!, args, env, cwd: absolutePath(cwd ?? '.', context), inheritEnv };
}

/**
 * Builds an entry that has faults, without the keys that are at fault. A variable that is not set stays unchanged.
 * @returns `undefined` if what is left is no entry
 */
export function buildPartialEntry(
  key: string,
  value: unknown,
  findings: readonly Finding[],
  context: EntryContext,
): UpstreamEntry | undefined {
  if (!isMapping(value)) return undefined;
  const faulty = new Set(findings.filter(({ isUnset }) => isUnset !== true).map(({ path }) => path[2]));
  const left = Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)));
  const parsed = entrySchema(context.transports).safeParse(left);
  const hasAddress = context.transports.addressKeys.some((name) => name in left);
  return parsed.success && hasAddress ? buildEntry(key, parsed.data, context) : undefined;
}

/** Returns the members that have a value, as the file has them. */
const written = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

function toWindows(
  rules: Rules,
  { ports, workspace }: { readonly ports: NonNullable<EntryFile['ports']>; readonly workspace: string | undefined },
  context: PathContext,
): WindowsEntry {
  const folder = workspace === undefined ? undefined : absolutePath(workspace, context);
  // The schema has checked that these are ports.
  return { ...rules, ports: readPorts(ports)!, workspace: folder };
}

function toRemote(
  rules: Rules,
  file: Pick<EntryFile, 'headers' | 'tls' | 'auth'> & { readonly url: string; readonly isTypeGuessed: boolean },
  { addresses }: TransportManifest,
  context: PathContext,
): RemoteEntry {
  const { url, headers, tls, auth, isTypeGuessed } = file;
  const takesAuth = addresses.url?.keys.includes('auth') === true;
  const how = takesAuth ? toAuth(auth, headers, context) : undefined;
  return {
    ...rules,
    isTypeGuessed,
    url: addresses.url?.complete?.(url, (path) => absolutePath(path, context)) ?? url,
    headers,
    ...(tls && { tls: toTls(tls, context) }),
    ...(how && { auth: how }),
  };
}

function toTls(tls: TlsFile, context: PathContext): UpstreamTls {
  const pem = (value: string | undefined): string | undefined =>
    value === undefined || isPem(value) ? value : absolutePath(value, context);
  return { ...tls, ca: pem(tls.ca), cert: pem(tls.cert), key: pem(tls.key) };
}

/** Returns whether a value is PEM text, as a variable may contain it; anything else is a path. */
const isPem = (value: string): boolean => value.includes('-----BEGIN');

/** An `Authorization` header leaves nothing to do. */
function toAuth(
  file: AuthFile | undefined,
  headers: EntryFile['headers'],
  context: PathContext,
): UpstreamAuth | undefined {
  if (file === NO_AUTH) return undefined;
  if (file?.type === 'oauth') return { ...file, isWritten: true };
  if (file?.type === 'private-key-jwt')
    return isPem(file.key) ? file : { ...file, key: absolutePath(file.key, context) };
  if (file !== undefined) return file;
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return isGiven ? undefined : { type: 'oauth', isWritten: false };
}
