import { createHash } from 'node:crypto';
import path from 'node:path';
import { stringify } from 'yaml';
import { ConfigError } from '../../config/config-error.ts';
import { expand } from '../../config/expand.ts';
import { type LoadOptions, parseConfig } from '../../config/load.ts';
import type { AgentEntry } from './agent-file.ts';

/** A server as it would stand in our config. */
export interface PlannedEntry {
  /** Key under `upstreams`. */
  readonly key: string;
  readonly source: AgentEntry;
  readonly value: Readonly<Record<string, unknown>>;
  /** Why it is written commented out; absent where it is taken over. */
  readonly obstacle?: string;
  /** What was changed or left out. */
  readonly remarks: readonly string[];
}

export interface ImportPlan {
  readonly entries: readonly PlannedEntry[];
  /** SHA-256 of all that would be taken over, in hexadecimal: whoever accepts it accepts nothing else. */
  readonly sha256: string;
}

const MAX_KEY = 40;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['constructor', 'prototype']);

export interface ImportOptions extends LoadOptions {
  /** Of the config that is to be written. */
  readonly configPath: string;
  /** The file of this program: an agent may run it as one of its servers. */
  readonly ownScript: string | undefined;
}

/** How the servers of an agent would stand in a config of ours. */
export function planImport(servers: readonly AgentEntry[], options: ImportOptions): ImportPlan {
  const taken = new Set(Object.keys(options.reservedPrefixes));
  const entries = servers.map((source) => planEntry(source, keyFor(source.name, taken), options));
  const accepted = entries.map(({ key, value, obstacle }) => [key, value, obstacle === undefined]);
  return { entries, sha256: createHash('sha256').update(JSON.stringify(accepted)).digest('hex') };
}

/** A free key that is as near to the agent's name as ours may be. */
function keyFor(name: string, taken: Set<string>): string {
  const legal = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[-_]+|-+$/g, '');
  const base = legal === '' || FORBIDDEN_KEYS.has(legal) ? 'server' : legal.slice(0, MAX_KEY);
  let key = base;
  for (let count = 2; taken.has(key); count++) key = `${base.slice(0, MAX_KEY - String(count).length - 1)}-${count}`;
  taken.add(key);
  return key;
}

function planEntry(source: AgentEntry, key: string, options: ImportOptions): PlannedEntry {
  const remarks: string[] = [];
  if (key !== source.name) remarks.push(`called ${JSON.stringify(source.name)} there`);
  if (source.ignored.length > 0)
    remarks.push(`left out: ${source.ignored.map((name) => JSON.stringify(name)).join(', ')}`);
  const value = valueFor(source);
  const unset = unsetVariables(value, options.env);
  if (unset.length > 0) remarks.push(`disabled, because these variables are not set: ${unset.join(', ')}`);
  const whole = source.disabled || unset.length > 0 ? { ...value, disabled: true } : value;
  const obstacle = obstacleOf(source, key, whole, options);
  return { key, source, value: whole, remarks, ...(obstacle !== undefined && { obstacle }) };
}

function valueFor(entry: AgentEntry): Record<string, unknown> {
  const { allow, deny } = entry;
  const tools = { ...(allow !== undefined && { allow: [...allow] }), ...(deny !== undefined && { deny: [...deny] }) };
  return {
    ...(entry.command === undefined ? remoteValue(entry) : processValue(entry, entry.command)),
    ...(Object.keys(tools).length > 0 && { tools }),
  };
}

function processValue({ args, env, cwd }: AgentEntry, command: string): Record<string, unknown> {
  return {
    command: ourReferences(command),
    ...(args.length > 0 && { args: args.map(ourReferences) }),
    ...section('env', env),
    ...(cwd !== undefined && { cwd: ourReferences(cwd) }),
  };
}

function remoteValue({ url, headers, type }: AgentEntry): Record<string, unknown> {
  return {
    ...(url !== undefined && { url: ourReferences(url) }),
    ...section('headers', headers),
    // Agents spell the one that we know in several ways; any other is the reason why the entry is not taken over.
    ...(type !== undefined && !/^(streamable-?)?http$/i.test(type) && { type }),
  };
}

function section(name: string, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const values = Object.entries(texts).map(([key, value]) => [key, ourReferences(value)]);
  return values.length === 0 ? {} : { [name]: Object.fromEntries(values) as Record<string, string> };
}

/** `${env:NAME}` and `${userHome}` are what editors call `${NAME}` and `${HOME}`. */
function ourReferences(text: string): string {
  return text.replace(/\$\{env:([A-Za-z_]\w*)\}/g, '$${$1}').replaceAll('${userHome}', '${HOME}');
}

function unsetVariables(value: Readonly<Record<string, unknown>>, env: LoadOptions['env']): string[] {
  const texts = Object.values(value).flatMap((part) => (typeof part === 'string' ? part : Object.values(part ?? {})));
  const known = { ...env, VIADUCT_CONFIG_DIR: '.' };
  return [...new Set(texts.flatMap((text) => (typeof text === 'string' ? expand(text, known).unset : [])))];
}

function obstacleOf(
  source: AgentEntry,
  key: string,
  value: Readonly<Record<string, unknown>>,
  options: ImportOptions,
): string | undefined {
  if (source.command === undefined && source.url === undefined) return 'it has neither a command nor a url';
  if (isOurselves(source, options)) return 'it is Viaduct itself, which would call itself';
  try {
    parseConfig(stringify({ schemaVersion: 1, upstreams: { [key]: value } }), { ...options, path: options.configPath });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { jsonPath, message, hint } = error.issues[0]!;
    return `${jsonPath}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  }
}

/** By its name, by its package, or by the very file that runs here. */
function isOurselves({ command, args }: AgentEntry, { ownScript }: ImportOptions): boolean {
  if (path.basename(command ?? '') === 'viaduct') return true;
  return args.some((arg) => /^(mcp-)?viaduct(@[\w.-]+)?$/.test(arg) || (ownScript !== undefined && arg === ownScript));
}
