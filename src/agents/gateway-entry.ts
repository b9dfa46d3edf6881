import { isDeepStrictEqual } from 'node:util';
import type { EntryForm } from './entry-form.ts';
import { childAt, type JsonNode, plainValue, readJsonDocument } from './files/json-document.ts';
import { emptyDocument, isEmptyDocument, removeMember, setMember } from './files/json-edit.ts';
import { FileEditError } from './files/text-edits.ts';
import { readToml } from './files/toml-document.ts';
import { removeTable, setTable } from './files/toml-edit.ts';
import { isWrittenByExport } from './own-program.ts';

/** The way in which an agent reaches the gateway: by a program that it starts, or by a URL. */
export type GatewayEntry = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

const NAME = 'viaduct';
const TOML_LIST = 'mcp_servers';
const NOT_OURS = 'is not as we write it';
/** Members of entries that we write; an entry with others was made or changed by its user. */
const OUR_KEYS: ReadonlySet<string> = new Set(['type', 'command', 'args', 'url', 'serverUrl', 'env']);
const OUR_URL = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/mcp(\/[\w-]+)?(\?|$)/;

/**
 * Returns the file with the entry in it. An entry that we have not written stays.
 * @throws FileEditError if the file is of another kind, has such an entry, or would change elsewhere
 */
export function addEntry(text: string | undefined, form: EntryForm, entry: GatewayEntry): string {
  const value = form === 'toml' ? tomlEntry(entry) : jsonEntry(form, entry);
  const whole = text === undefined || (form !== 'toml' && isBlank(text)) ? emptyText(form, text) : text;
  const there = entryIn(whole, form);
  if (isDeepStrictEqual(there, value)) return whole;
  const fault = there === undefined ? undefined : foreignIn(there);
  if (fault !== undefined) throw new FileEditError(`it has a server "${NAME}" already, which ${fault}`);
  if (form === 'toml') return setTable(whole, [TOML_LIST, NAME], tomlLines(value));
  return setMember(whole, [memberOf(form), NAME], value);
}

/** Returns whether a server with our name is in the file. */
export function hasEntry(text: string, form: EntryForm): boolean {
  return entryIn(text, form) !== undefined;
}

/** Returns whether the file has a list of servers, which may be empty. */
export function hasServerList(text: string, form: EntryForm): boolean {
  if (form === 'toml') return Object.hasOwn(readToml(text), TOML_LIST);
  return !isBlank(text) && childAt(readJsonDocument(text), [memberOf(form)]) !== undefined;
}

/** Options of `removeEntry`. */
export interface EntryRemoval {
  /** The list of servers stays in a JSON file when it is left empty. */
  readonly keepsList?: boolean;
}

/**
 * Returns the file without our entry; `undefined` if nothing else is in it.
 * @throws FileEditError if the entry is not as we write it, or the file would change elsewhere
 */
export function removeEntry(
  text: string,
  form: EntryForm,
  { keepsList = false }: EntryRemoval = {},
): string | undefined {
  const there = entryIn(text, form);
  const fault = there === undefined ? undefined : foreignIn(there);
  if (fault !== undefined) {
    throw new FileEditError(`its server "${NAME}" ${fault}. Remove it by hand`);
  }
  if (form === 'toml') return emptyToNone(removeTable(text, [TOML_LIST, NAME]));
  const rest = removeMember(text, [memberOf(form), NAME], { kept: keepsList ? 1 : 0 });
  return rest !== text && isEmptyDocument(rest) ? undefined : rest;
}

/** Returns a file of this form without anything in it, with the byte order mark and the line ends of another text. */
export function emptyText(form: EntryForm, like?: string): string {
  return form === 'toml' ? '' : emptyDocument(like);
}

/** Returns the entry as text that a user can paste. */
export function entryText(entry: GatewayEntry): string {
  return JSON.stringify({ mcpServers: { [NAME]: jsonEntry('mcpServers', entry) } }, null, 2);
}

function memberOf(form: Exclude<EntryForm, 'toml'>): string {
  return form === 'serverUrl' ? 'mcpServers' : form;
}

function jsonEntry(form: EntryForm, entry: GatewayEntry): Record<string, unknown> {
  if ('url' in entry) {
    if (form === 'serverUrl') return { serverUrl: entry.url };
    return form === 'context_servers' ? { url: entry.url } : { type: 'http', url: entry.url };
  }
  const { command, args } = entry;
  if (form === 'servers') return { type: 'stdio', command, args };
  return form === 'context_servers' ? { command, args, env: {} } : { command, args };
}

function tomlEntry(entry: GatewayEntry): Record<string, unknown> {
  return 'url' in entry ? { url: entry.url } : { command: entry.command, args: [...entry.args] };
}

function tomlLines(value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).map(([key, member]) => `${key} = ${tomlValue(member)}`);
}

function tomlValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlValue).join(', ')}]` : JSON.stringify(value);
}

/** Returns the value of the entry with our name, if there is one. */
function entryIn(text: string, form: EntryForm): unknown {
  if (form === 'toml') return ownMember(readToml(text)[TOML_LIST], NAME);
  if (isBlank(text)) return undefined;
  let root: JsonNode;
  try {
    root = readJsonDocument(text);
  } catch {
    return undefined; // the edit itself says what is wrong
  }
  const child = childAt(root, [memberOf(form), NAME]);
  return child === undefined ? undefined : plainValue(child.node);
}

function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns the reason why an entry is not, or not entirely, ours. */
function foreignIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_OURS;
  const entry = value as Record<string, unknown>;
  const { command, args, env } = entry;
  const url = entry.url ?? entry.serverUrl;
  const texts = Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? args : undefined;
  const isOurs =
    typeof url === 'string'
      ? OUR_URL.test(url)
      : typeof command === 'string' && texts !== undefined && isWrittenByExport({ command, args: texts });
  if (!isOurs) return NOT_OURS;
  const hasEnv = typeof env === 'object' && env !== null && Object.keys(env).length > 0;
  const added = Object.keys(entry).filter((key) => !OUR_KEYS.has(key) || (key === 'env' && hasEnv));
  return added.length === 0
    ? undefined
    : `${NOT_OURS}: others have added ${added.map((key) => JSON.stringify(key)).join(', ')}`;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function emptyToNone(text: string): string | undefined {
  return isBlank(text) ? undefined : text;
}
