import type { EntryForm } from './agents.ts';
import { childAt, type JsonNode, plainValue, readJsonDocument } from './files/json-document.ts';
import { FileEditError, isEmptyDocument, removeMember, setMember } from './files/json-edit.ts';
import { removeTable, setTable } from './files/toml-block.ts';
import { readToml } from './files/toml-tables.ts';

/** How the agent reaches the gateway: by a program that it starts, or by a url. */
export type GatewayEntry = { readonly command: string; readonly args: readonly string[] } | { readonly url: string };

const NAME = 'viaduct';
/** What an entry that we have written may hold; one with more in it was made or changed by its user. */
const OUR_KEYS: ReadonlySet<string> = new Set(['type', 'command', 'args', 'url', 'serverUrl', 'env']);
const OUR_URL = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/mcp(\/[\w-]+)?(\?|$)/;

/**
 * The file with the entry in it; one that is there already and was not written by us stays.
 * @throws FileEditError where the file is of another kind
 */
export function addEntry(text: string | undefined, form: EntryForm, entry: GatewayEntry): string {
  if (form === 'toml') return withTable(text ?? '', tomlLines(entry));
  const json = text === undefined || text.trim() === '' ? '{}\n' : text;
  const path = [memberOf(form), NAME];
  if (isForeign(json, path)) throw new FileEditError(`it has a server "${NAME}" already, which is not as we write it`);
  return setMember(json, path, jsonEntry(form, entry));
}

/** Whether a server with our name is in the file. */
export function hasEntry(text: string, form: EntryForm): boolean {
  if (text.trim() === '') return false;
  if (form === 'toml') return isMember(readToml(text).mcp_servers, NAME);
  return childAt(readJsonDocument(text), [memberOf(form), NAME]) !== undefined;
}

function isMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** The file without our entry; `undefined` where nothing else was in it. */
export function removeEntry(text: string, form: EntryForm): string | undefined {
  if (form === 'toml') return emptyToNone(withoutTable(text));
  const path = [memberOf(form), NAME];
  if (isForeign(text, path)) throw new FileEditError(`its server "${NAME}" is not as we write it`);
  const rest = removeMember(text, path);
  return rest !== text && isEmptyDocument(rest) ? undefined : rest;
}

/** The entry as text that a user can paste. */
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

function tomlLines(entry: GatewayEntry): string[] {
  if ('url' in entry) return [`url = ${JSON.stringify(entry.url)}`];
  const args = entry.args.map((arg) => JSON.stringify(arg)).join(', ');
  return [`command = ${JSON.stringify(entry.command)}`, `args = [${args}]`];
}

function isForeign(text: string, path: readonly string[]): boolean {
  let root: JsonNode;
  try {
    root = readJsonDocument(text);
  } catch {
    return false; // the edit itself says what is wrong
  }
  const child = childAt(root, path);
  return child !== undefined && !isOurs(plainValue(child.node));
}

function isOurs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entry = value as Record<string, unknown>;
  if (Object.keys(entry).some((key) => !OUR_KEYS.has(key))) return false;
  if (Object.keys((entry.env as object | undefined) ?? {}).length > 0) return false;
  const url = entry.url ?? entry.serverUrl;
  if (typeof url === 'string') return OUR_URL.test(url);
  return Array.isArray(entry.args) && entry.args.includes('stdio');
}

/** A text that was TOML is TOML afterwards, too. */
function withTable(text: string, lines: readonly string[]): string {
  readToml(text);
  const next = setTable(text, `mcp_servers.${NAME}`, lines);
  readToml(next);
  return next;
}

function withoutTable(text: string): string {
  readToml(text);
  return removeTable(text);
}

function emptyToNone(text: string): string | undefined {
  return text.trim() === '' ? undefined : text;
}
