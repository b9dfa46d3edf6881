import type { EntryForm } from '../../../../agents/entry-form.ts';
import { childAt, type JsonNode, plainValue, readJsonDocument } from '../../../../agents/files/json-document.ts';
import { emptyDocument, isEmptyDocument, removeItems, removeMember } from '../../../../agents/files/json-edit.ts';

/** Begins the text that ide-bridge puts into a file that others write too. Nothing marks where it ends. */
const MARK = '<!-- ide-bridge:priming -->';
const HOOK = /\bide-bridge(?:@[\w.-]+)?\s+hook\s+(?:load|save)\b/;
const HOOK_EVENTS = ['SessionStart', 'PreCompact', 'Stop', 'PostToolUse'];
/** Names that people give to its server, and where it listens. */
const SERVER_NAMES = ['ide-bridge', 'bridge'];
const SERVER_URL =
  /^http:\/\/(?:127\.0\.0\.1|localhost):3141[5-9]\/mcp\/?$|^http:\/\/(?:127\.0\.0\.1|localhost):3142[0-5]\/mcp\/?$/;

/** Returns whether ide-bridge's text is in a file. */
export function hasIdeBridgeText(text: string): boolean {
  return text.includes(MARK);
}

/**
 * Returns a file without the text of ide-bridge. Its end is a line of dashes where something stood in the file before. Without
 * one, the text ends before the first paragraph that does not speak of ide-bridge: what a user has added stays.
 */
export function withoutIdeBridgeText(text: string): string {
  const start = text.indexOf(MARK);
  if (start === -1) return text;
  const before = text.slice(0, start);
  const rest = text.slice(start + MARK.length).replace(/^\r?\n/, '');
  const after = afterDashes(rest) ?? afterParagraphs(rest);
  return before + after;
}

/** Returns what follows the line of dashes, if everything before it belongs to ide-bridge. */
function afterDashes(text: string): string | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.trim() === '---');
  if (at === -1 || afterParagraphs(lines.slice(0, at).join('\n')).trim() !== '') return undefined;
  const after = lines.slice(at + 1);
  const first = after.findIndex((line) => line.trim() !== '');
  return first === -1 ? '' : after.slice(first).join('\n');
}

function afterParagraphs(text: string): string {
  const lines = text.split('\n');
  let end = 0;
  for (let at = 0; at < lines.length; ) {
    const [first, next] = paragraphAt(lines, at);
    if (first === next || !isOfIdeBridge(lines.slice(first, next).join('\n'))) break;
    end = next;
    at = next;
  }
  const after = lines.slice(end);
  const first = after.findIndex((line) => line.trim() !== '');
  return first === -1 ? '' : after.slice(first).join('\n');
}

/** Returns the first line of the next paragraph, and the line behind its last one. */
function paragraphAt(lines: readonly string[], from: number): readonly [number, number] {
  let first = from;
  while (first < lines.length && lines[first]!.trim() === '') first++;
  let end = first;
  while (end < lines.length && lines[end]!.trim() !== '') end++;
  return [first, end];
}

/** Returns whether a paragraph is one of its headings, or names its tools, its file, its arguments or its automatic saving. */
function isOfIdeBridge(paragraph: string): boolean {
  if (/^#+\s+(?:protocol|arguments)\s*$/i.test(paragraph)) return true;
  return /\bide-?\s?bridge\b|\bbridge\.\w|\bsource_ide\b|\bauto-?saves?\b/i.test(paragraph);
}

/** Returns whether ide-bridge has written this file: it tells an agent to call ide-bridge's tools. */
export function isIdeBridgeFile(text: string): boolean {
  return /\bbridge\.(?:load|save)_checkpoint\b/.test(text);
}

/** Returns whether hooks of ide-bridge are in the settings of Claude Code. Settings that are not JSON have none. */
export function hasIdeBridgeHooks(text: string): boolean {
  try {
    return withoutIdeBridgeHooks(text) !== text;
  } catch {
    return false; // the code that edits the file reports the problem
  }
}

/**
 * Returns the settings of Claude Code without the hooks of ide-bridge.
 * @throws FileEditError if they are not JSON
 */
export function withoutIdeBridgeHooks(text: string): string {
  return HOOK_EVENTS.reduce((result, event) => removeItems(result, ['hooks', event], isIdeBridgeHook), text);
}

/** A group of hooks with those of ide-bridge in it and no others. */
function isIdeBridgeHook(item: JsonNode): boolean {
  const { hooks } = (plainValue(item) ?? {}) as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length === 0) return false;
  return hooks.every((hook: { readonly command?: unknown } | null) => {
    return typeof hook?.command === 'string' && HOOK.test(hook.command);
  });
}

/** Returns whether a list of servers has an entry for ide-bridge's server. */
export function hasIdeBridgeEntry(text: string, form: EntryForm): boolean {
  try {
    return withoutIdeBridgeEntry(text, form) !== text;
  } catch {
    return false; // the code that edits the file reports the problem
  }
}

/**
 * Returns a list of servers without ide-bridge's: one that is called so and is at its address.
 * @throws FileEditError if the file is not JSON
 */
export function withoutIdeBridgeEntry(text: string, form: EntryForm): string {
  if (form === 'toml' || text.trim() === '') return text;
  const list = form === 'serverUrl' ? 'mcpServers' : form;
  const names = SERVER_NAMES.filter((name) => {
    const entry = childAt(readJsonDocument(text), [list, name]);
    const { url, serverUrl } = (entry === undefined ? {} : (plainValue(entry.node) ?? {})) as Record<string, unknown>;
    return [url, serverUrl].some((address) => typeof address === 'string' && SERVER_URL.test(address));
  });
  const rest = names.reduce((result, name) => removeMember(result, [list, name]), text);
  return rest !== text && isEmptyDocument(rest) ? emptyDocument(text) : rest;
}
