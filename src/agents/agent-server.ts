import type { z } from 'zod';
import { AgentFileError } from './agent-text.ts';
import { ourReferences, type ReferenceMeaning } from './references.ts';
import { type AgentEntry, entrySchema, KNOWN_KEYS, withoutNull } from './shapes/entry-schema.ts';
import { filterOf, timesOf } from './shapes/limits.ts';
import { type AgentLogin, loginOf } from './shapes/login.ts';
import { headersOf } from './shapes/named-texts.ts';
import { fitToSystem } from './shapes/other-system.ts';
import { programOf } from './shapes/program.ts';

/** The machine on which servers will run. */
export interface AgentSystem {
  readonly platform: NodeJS.Platform;
  readonly isFile: (path: string) => boolean;
}

/** One server of an agent, in the same form for all agents, with references as in our config. */
export interface AgentServer {
  readonly name: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file with more variables. */
  readonly envFile: string | undefined;
  readonly cwd: string | undefined;
  /** Present for a server that is reached over the network. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The agent's name for the transport. */
  readonly type: string | undefined;
  readonly disabled: boolean;
  readonly allow: readonly string[] | undefined;
  readonly deny: readonly string[] | undefined;
  readonly connectMs: number | undefined;
  readonly callMs: number | undefined;
  /** The login to the server. */
  readonly login: AgentLogin | 'none' | undefined;
  /** Keys of members without meaning here, each with the keys that lead to it. */
  readonly unused: readonly (readonly string[])[];
  /** Notes on what was read differently from how it is written; they quote no secret. */
  readonly changes: readonly string[];
  /** The reasons why it cannot work here. */
  readonly misfits: readonly string[];
  /** The entry as it is there. */
  readonly raw: unknown;
}

/**
 * Reads one server of an agent.
 * @param list the keys that lead to the list that it is in
 * @throws AgentFileError that names the server and what is wrong with it; it quotes no value
 */
export function readAgentServer(
  name: string,
  raw: unknown,
  { meaning, list, system }: { meaning: ReferenceMeaning; list: readonly string[]; system: AgentSystem },
): AgentServer {
  const parsed = entrySchema.safeParse(withoutNull(raw));
  if (!parsed.success) throw new AgentFileError(faultOf(name, messageOf(parsed.error.issues[0]!)));
  const hasBraces = isOpencode(parsed.data, list);
  const spell = { ...meaning, hasBraces };
  try {
    const ours = (text: string): string => ourReferences(text, spell);
    const server = serverOf(name, { raw, entry: parsed.data, system, ours });
    const hasFiles = hasBraces && JSON.stringify(raw).includes('{file:');
    return hasFiles ? { ...server, misfits: [...server.misfits, NO_FILES] } : server;
  } catch (error) {
    throw error instanceof AgentFileError ? new AgentFileError(faultOf(name, error.message)) : error;
  }
}

const NO_FILES = 'the text of a file, {file:…}, is not put in here';

interface Reading {
  readonly raw: unknown;
  readonly entry: AgentEntry;
  readonly system: AgentSystem;
  /** Returns a text with references in the form of our config. */
  readonly ours: (text: string) => string;
}

/** opencode calls the two kinds of servers so, and has a list for a command. */
function isOpencode({ type, command }: AgentEntry, list: readonly string[]): boolean {
  return (list.length === 1 && list[0] === 'mcp') || Array.isArray(command) || type === 'remote';
}

function serverOf(name: string, reading: Reading): AgentServer {
  const { raw, entry, ours } = reading;
  const isRemote = isReachedByUrl(entry);
  const place = isRemote ? remoteOf(reading) : processOf(reading);
  const filter = filterOf(entry);
  const times = timesOf(entry);
  const { login, unused } = isRemote ? loginOf(entry) : NO_LOGIN;
  const besides = isRemote ? BESIDE_COMMAND : BESIDE_URL;
  const stray = besides.filter((key) => !isEmpty(raw, key)).map((key) => [key]);
  return {
    name,
    raw,
    ...place,
    login: typeof login === 'object' ? mapLogin(login, ours) : login,
    disabled: entry.disabled === true || entry.enabled === false,
    ...filter.filter,
    ...times.times,
    unused: [
      ...Object.keys(entry)
        .filter((key) => !KNOWN_KEYS.has(key))
        .map((key) => [key]),
      ...stray,
      ...unused,
      ...filter.unused,
      ...times.unused,
    ],
  };
}

type EntryFields = Pick<
  AgentServer,
  'command' | 'args' | 'env' | 'envFile' | 'cwd' | 'url' | 'headers' | 'type' | 'changes' | 'misfits'
>;

/** Members that have no meaning in an entry with a command. */
const BESIDE_URL = [
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'oauth',
  'auth',
  'scopes',
] as const;
const BESIDE_COMMAND = ['command', 'args', 'env', 'environment', 'env_vars', 'envFile', 'cwd'] as const;
const NO_LOGIN = { login: undefined, unused: [] };

/** An entry may have a command and a url: its type says which is meant, else it is a program, as most agents have it. */
function isReachedByUrl(entry: AgentEntry): boolean {
  if (entry.command === undefined) return true;
  const type = typeOf(entry);
  return urlOf(entry) !== undefined && type !== undefined && !/^(stdio|local)$/i.test(type);
}

function urlOf({ url, serverUrl, httpUrl }: AgentEntry): string | undefined {
  return [httpUrl, url, serverUrl].find((address) => address !== undefined && address !== '');
}

function typeOf({ type, transport, transportType }: AgentEntry): string | undefined {
  return type ?? transport ?? transportType;
}

function processOf({ raw, entry, system, ours }: Reading): EntryFields {
  const { isFile, platform } = system;
  const program = fitToSystem(programOf(entry, { isFile, ours }), entry.cwd, platform);
  const both = urlOf(entry) === undefined ? [] : ['it has a command and a url: the command is used'];
  return {
    command: optional(program.command, ours),
    args: program.args.map(ours),
    env: program.env,
    envFile: optional(entry.envFile, ours),
    cwd: optional(entry.cwd, ours),
    url: undefined,
    headers: {},
    type: 'stdio',
    changes: [...both, ...nullArguments(raw), ...program.remarks],
    misfits: program.misfits,
  };
}

function nullArguments(raw: unknown): string[] {
  const { args } = raw as { readonly args?: unknown };
  return Array.isArray(args) && args.includes(null) ? ['args that are null are left out'] : [];
}

function remoteOf({ entry, ours }: Reading): EntryFields {
  const url = urlOf(entry);
  const both = entry.command === undefined ? [] : ['it has a command and a url: the url is used'];
  return {
    command: undefined,
    args: [],
    env: {},
    envFile: undefined,
    cwd: undefined,
    url: optional(url, ours),
    headers: allHeaders(entry, ours),
    type: typeOf(entry),
    changes: both,
    misfits: [],
  };
}

/** Codex names variables for headers, and one for the token. */
function allHeaders(
  { headers, http_headers, env_http_headers, bearer_token_env_var }: AgentEntry,
  ours: (text: string) => string,
): Record<string, string> {
  return {
    ...(bearer_token_env_var !== undefined && { Authorization: `Bearer \${${bearer_token_env_var}}` }),
    ...headersOf(headers, ours),
    ...headersOf(http_headers, ours),
    ...Object.fromEntries(Object.entries(env_http_headers).map(([name, variable]) => [name, `\${${variable}}`])),
  };
}

function mapLogin(login: AgentLogin, ours: (text: string) => string): AgentLogin {
  const { clientId, clientSecret } = login;
  return {
    ...login,
    ...(clientId !== undefined && { clientId: ours(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: ours(clientSecret) }),
  };
}

function optional(text: string | undefined, change: (text: string) => string): string | undefined {
  return text === undefined ? undefined : change(text);
}

/** Returns whether a member of an entry is empty, such as the `{}` that agents write by themselves. */
function isEmpty(raw: unknown, key: string): boolean {
  const value = (raw as Readonly<Record<string, unknown>>)[key];
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function messageOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return at + (issue.code === 'invalid_union' ? 'it is none of the forms that are known' : issue.message);
}

function faultOf(name: string, fault: string): string {
  return `the server ${JSON.stringify(name)} cannot be read: ${fault}`;
}
