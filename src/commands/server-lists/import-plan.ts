import { createHash } from 'node:crypto';
import path from 'node:path';
import { stringify } from 'yaml';
import { expand } from '../../config/expand.ts';
import { ConfigError } from '../../config/findings/config-error.ts';
import { type LoadOptions, parseConfig } from '../../config/load.ts';
import { trimmedEnd, trimmedStart } from '../../core/text/trimmed.ts';
import type { FoundServer } from './agent-lists.ts';
import { type EntryValue, entryValue } from './entry-value.ts';
import { isOurselves, type OwnAddress } from './is-ourselves.ts';
import { type LiftedSecret, liftSecrets } from './lift-secrets.ts';
import { isSameServer } from './same-server.ts';
import { unusedFields } from './unused-fields.ts';

/** A server as it would be in our config. */
export interface PlannedEntry {
  /** Key under `upstreams`. */
  readonly key: string;
  readonly source: FoundServer;
  readonly value: Readonly<Record<string, unknown>>;
  /** The same, fit to be shown. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The reason why it is not imported; absent if it is. */
  readonly obstacle?: string;
  /** True if the config or an earlier entry of the plan already has it. */
  readonly isPresent: boolean;
  /** Secrets in the agent's file; they are replaced by variables, unless they are to be kept. */
  readonly secrets: readonly LiftedSecret[];
  /** Changes and omissions, in words. */
  readonly remarks: readonly string[];
}

export interface ImportPlan {
  readonly entries: readonly PlannedEntry[];
  /** SHA-256 of everything that would be imported, in hexadecimal; accepting it accepts nothing else. */
  readonly sha256: string;
}

export interface ImportOptions extends LoadOptions, OwnAddress {
  /** Path of the config to write. */
  readonly configPath: string;
  /** Entries that the config already has, as they are written. */
  readonly present: Readonly<Record<string, unknown>>;
  /** Secrets are copied into the config as they are. */
  readonly keepSecrets: boolean;
}

/** The reason why our own entry is not imported. */
export const OURSELVES = 'it is Viaduct itself, which would call itself';

const MAX_KEY = 40;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['constructor', 'prototype']);

/** Plans the entries of our config for the servers of an agent. */
export function planImport(servers: readonly FoundServer[], options: ImportOptions): ImportPlan {
  const planner = new Planner(options);
  const entries = servers.map((source) => planner.plan(source));
  const accepted = entries.map(({ key, value, obstacle }) => [key, value, obstacle === undefined]);
  return { entries, sha256: createHash('sha256').update(JSON.stringify(accepted)).digest('hex') };
}

/** The entries, their keys, and what each of them leaves to the next. */
class Planner {
  readonly #options: ImportOptions;
  /** Keys and prefixes that are taken. */
  readonly #taken: Set<string>;
  /** Entries of the config and planned entries, with the list each is from. */
  readonly #known: Map<string, KnownEntry>;

  constructor(options: ImportOptions) {
    this.#options = options;
    const { present, reservedPrefixes } = options;
    const prefixes = Object.values(present).flatMap((entry) => (hasPrefix(entry) ? [entry.prefix] : []));
    this.#taken = new Set([...Object.keys(reservedPrefixes), ...Object.keys(present), ...prefixes]);
    this.#known = new Map(Object.entries(present).map(([key, value]) => [key, { value, list: undefined }]));
  }

  plan(source: FoundServer): PlannedEntry {
    const written = entryValue(source, path.dirname(this.#options.configPath));
    for (const key of keysFor(source.name)) {
      const { value, secrets } = withoutSecrets(key, written, (variable) => `\${${variable}}`);
      const known = this.#keyOf(source, [value, written]);
      if (known !== undefined) {
        const remarks = [`is there already${known === source.name ? '' : ` as ${known}`}`];
        return { key: known, source, value, shown: value, isPresent: true, secrets: [], remarks };
      }
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      const entry = this.#newEntry(key, source, { value: this.#options.keepSecrets ? written : value, secrets });
      if (entry.obstacle === undefined) this.#known.set(key, { value: entry.value, list: listOf(source) });
      return entry;
    }
    throw new Error('there are more keys than servers');
  }

  /** Returns the key of a server that is known already. Two entries of one list always count as two servers. */
  #keyOf(source: FoundServer, values: readonly unknown[]): string | undefined {
    const isKnown = ({ value, list }: KnownEntry): boolean =>
      list !== listOf(source) && values.some((one) => isSameServer(one, value));
    return [...this.#known].find(([, known]) => isKnown(known))?.[0];
  }

  #newEntry(key: string, source: FoundServer, { value, secrets }: EntryAndSecrets): PlannedEntry {
    const unset = unsetVariables(value, this.#options.env);
    const state = source.disabled || unset.length > 0 || source.misfits.length > 0 ? { disabled: true } : {};
    const whole = { ...value, ...state };
    const obstacle = obstacleOf(source, key, whole, this.#options);
    return {
      key,
      source,
      value: whole,
      shown: { ...withoutSecrets(key, value, () => '******').value, ...state },
      isPresent: false,
      secrets,
      remarks: [
        ...(key === source.name ? [] : [`called ${JSON.stringify(source.name)} there`]),
        ...source.changes,
        ...unusedFields(source),
        ...source.asks,
        ...loginRemarks(value),
        ...dollarRemarks(value),
        ...envFileRemarks(source),
        ...secretRemarks(secrets, this.#options.keepSecrets),
        ...(unset.length === 0 ? [] : [`disabled, because these variables are not set: ${unset.join(', ')}`]),
        ...(source.misfits.length === 0
          ? []
          : [`disabled, because it cannot work here as it is: ${source.misfits.join(', ')}`]),
      ],
      ...(obstacle !== undefined && { obstacle }),
    };
  }
}

interface KnownEntry {
  readonly value: unknown;
  readonly list: string | undefined;
}

function listOf({ file, list }: FoundServer): string {
  return JSON.stringify([file, ...list]);
}

/** Returns keys that are close to the agent's name for the server, best first. */
function* keysFor(name: string): Generator<string> {
  const legal = trimmedEnd(trimmedStart(name.replace(/[^A-Za-z0-9_-]+/g, '-'), '-_'), '-');
  const base = legal === '' || FORBIDDEN_KEYS.has(legal) ? 'server' : legal.slice(0, MAX_KEY);
  yield base;
  for (let count = 2; ; count++) yield `${base.slice(0, MAX_KEY - String(count).length - 1)}-${count}`;
}

function hasPrefix(entry: unknown): entry is { readonly prefix: string } {
  return typeof (entry as { readonly prefix?: unknown } | null)?.prefix === 'string';
}

interface EntryAndSecrets {
  readonly value: EntryValue;
  readonly secrets: readonly LiftedSecret[];
}

function withoutSecrets(key: string, value: EntryValue, standIn: (variable: string) => string): EntryAndSecrets {
  const { args = [], env = {}, headers = {}, url, auth } = value;
  const login = typeof auth === 'object' ? auth : undefined;
  const { parts, secrets } = liftSecrets(key, { args, env, headers, url, clientSecret: login?.clientSecret }, standIn);
  const { clientSecret, ...others } = parts;
  const lifted = Object.entries(others).filter(([name]) => name in value);
  const withSecret = clientSecret === undefined ? {} : { auth: { ...login!, clientSecret } };
  return { value: { ...value, ...Object.fromEntries(lifted), ...withSecret }, secrets };
}

function secretRemarks(secrets: readonly LiftedSecret[], keepSecrets: boolean): string[] {
  if (keepSecrets && secrets.length > 0) {
    return [`a secret stands in the config as it is: ${secrets.map(({ place }) => place).join(', ')}`];
  }
  return secrets.map(
    ({ variable, place }) => `set ${variable} to the secret in ${place} of the agent's entry, where Viaduct is started`,
  );
}

/** A client belongs to the addresses to which the browser may come back after a login. */
function loginRemarks({ auth }: EntryValue): string[] {
  if (typeof auth !== 'object' || auth.clientId === undefined) return [];
  const { callbackPort } = auth;
  const port =
    callbackPort === undefined ? 'PORT/callback, where auth.callbackPort sets PORT' : `${callbackPort}/callback`;
  return [`its OAuth client must allow the redirect address http://127.0.0.1:${port}. Then: viaduct auth login`];
}

/** Returns remarks on `$NAME`, which some agents replace and our config takes for plain text. */
function dollarRemarks({ env = {}, headers = {} }: EntryValue): string[] {
  return Object.entries({ ...env, ...headers })
    .filter(([, value]) => /^\$[A-Za-z_]\w*$/.test(value))
    .map(([name, value]) => `${name} is the text ${value}: write \${${value.slice(1)}} if you mean the variable`);
}

function envFileRemarks({ envFile, fileVariables }: FoundServer): string[] {
  if (envFile === undefined) return [];
  if (fileVariables === undefined)
    return [`the variables of its envFile are missing, for it cannot be read: ${envFile}`];
  return [`${fileVariables.join(', ')} came from ${envFile}: set them where Viaduct is started`];
}

function unsetVariables(value: Readonly<Record<string, unknown>>, env: LoadOptions['env']): string[] {
  const texts = Object.values(value).flatMap((part) => (typeof part === 'string' ? part : Object.values(part ?? {})));
  const known = { ...env, VIADUCT_CONFIG_DIR: '.' };
  return [...new Set(texts.flatMap((text) => (typeof text === 'string' ? expand(text, known).unset : [])))];
}

function obstacleOf(
  source: FoundServer,
  key: string,
  value: Readonly<Record<string, unknown>>,
  options: ImportOptions,
): string | undefined {
  if (source.command === undefined && source.url === undefined) return 'it has neither a command nor a url';
  if (isOurselves(source, options)) return OURSELVES;
  try {
    parseConfig(stringify({ schemaVersion: 1, upstreams: { [key]: value } }), { ...options, path: options.configPath });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { jsonPath, message, hint } = error.issues[0]!;
    return `${jsonPath}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
  }
}
