import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml';
import { setMember } from '../../agents/files/json-edit.ts';
import { FileEditError } from '../../agents/files/text-edits.ts';
import { valueAt } from '../../config/findings/finding.ts';
import { readYaml } from '../../config/yaml/yaml-document.ts';
import { entryLines, type WrittenEntry } from '../server-lists/entry-lines.ts';

/** The config is written in a way into which nothing can be put without rewriting it. */
export class ConfigEditError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigEditError';
  }
}

const INDENT = '  ';

/**
 * Returns the text of a config with these entries at the end of its `upstreams`. Everything else is unchanged,
 * including comments.
 * @throws ConfigEditError if that cannot be done
 */
export function addEntries(text: string, entries: readonly WrittenEntry[]): string {
  if (entries.length === 0) return text;
  const next = insertEntries(text, entries);
  if (!isAsMeant(text, next, entries)) {
    throw new ConfigEditError('its upstreams are written in a form to which no entry can be added: paste them by hand');
  }
  return next;
}

/** Returns whether the text still says what it said before, plus the entries. */
function isAsMeant(before: string, after: string, entries: readonly WrittenEntry[]): boolean {
  const [old, next] = [readYaml(before).value, readYaml(after)];
  const added = Object.fromEntries(entries.map(({ key, value }) => [key, textsOf(value)]));
  const upstreams = { ...(valueAt(old, ['upstreams']) as object | undefined), ...added };
  return next.complete && isDeepStrictEqual(next.value, { ...(old as object), upstreams });
}

/** Returns a value as it is read back: without members that are `undefined`. */
function textsOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function insertEntries(text: string, entries: readonly WrittenEntry[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const root = parseDocument(text, { logLevel: 'error' }).contents;
  if (!isMap(root)) return text;
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === 'upstreams');
  if (root.flow === true) return insertIntoJson(text, entries);
  const block = (indent: string): string => entries.flatMap((entry) => entryLines(entry, indent)).join(eol) + eol;
  if (pair === undefined) return `${withLineEnd(text, eol)}upstreams:${eol}${block(INDENT)}`;
  const { value } = pair;
  if (isMap(value) && value.items.length > 0) {
    if (value.flow === true) return insertIntoFlow(text, value, entries);
    return insertLines(text, endOf(value), { lines: block(indentOf(text, value)), eol });
  }
  const start = isMap(value) ? startOf(value) : endOf(pair.key as Node);
  const without = isMap(value) ? text.slice(0, start) + text.slice(endOf(value)) : text;
  return insertLines(without, start, { lines: block(INDENT), eol });
}

/** Inserts entries after the line on which a node ends. */
function insertLines(
  text: string,
  end: number,
  { lines, eol }: { readonly lines: string; readonly eol: string },
): string {
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1;
  if (lineEnd === 0) return `${text}${eol}${lines}`;
  return text.slice(0, lineEnd) + lines + text.slice(lineEnd);
}

/** Inserts entries as JSON into a config that is JSON. */
function insertIntoJson(text: string, entries: readonly WrittenEntry[]): string {
  try {
    return entries.reduce((result, { key, value }) => setMember(result, ['upstreams', key], value), text);
  } catch (error) {
    if (error instanceof FileEditError) return text;
    throw error;
  }
}

/** Inserts entries before the brace that closes a map on one line. */
function insertIntoFlow(text: string, map: YAMLMap, entries: readonly WrittenEntry[]): string {
  const members = entries.map(({ key, value }) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ');
  const before = text.slice(0, endOf(map) - 1).trimEnd();
  return `${before}${before.endsWith(',') ? ' ' : ', '}${members}${text.slice(before.length)}`;
}

function startOf(node: Node): number {
  return node.range![0];
}

/** Returns the end of a value, without what follows on its line. */
function endOf(node: Node): number {
  return node.range![1];
}

function indentOf(text: string, map: YAMLMap): string {
  const start = startOf(map);
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

function withLineEnd(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol;
}
