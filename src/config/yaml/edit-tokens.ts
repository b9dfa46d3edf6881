import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { isMapping, valueAt } from '../findings/finding.ts';
import type { TokenFile } from '../server/server-schema.ts';
import { readYaml } from './yaml-document.ts';

/** An error: the text of a config cannot be changed without changing something else. */
export class TokenEditError extends Error {
  constructor() {
    super('the config has a form in which the token cannot be written safely; change server.tokens in an editor');
    this.name = 'TokenEditError';
  }
}

/**
 * Returns the text of a config with one more token. Nothing else changes, not even a comment or a blank.
 * @throws TokenEditError
 */
export function withToken(text: string, token: TokenFile): string {
  const before = tokensIn(text) ?? [];
  return checked(insertToken(text, token), text, [...before, token]);
}

/**
 * Returns the text without the token of this name; `undefined` if there is none. An empty list stays: it refuses every client.
 * @throws TokenEditError
 */
export function withoutToken(text: string, name: string): string | undefined {
  const before = tokensIn(text) ?? [];
  const index = before.findIndex((token) => valueAt(token, ['name']) === name);
  if (index === -1) return undefined;
  return checked(
    removeToken(text, index),
    text,
    before.filter((_token, at) => at !== index),
  );
}

/** Returns an entry as it is under `server.tokens`. */
export function tokenText(token: TokenFile): string {
  return blockItem(token, '').trimEnd();
}

function tokensIn(text: string): readonly unknown[] | undefined {
  const tokens = valueAt(readYaml(text).value, ['server', 'tokens']);
  return Array.isArray(tokens) ? tokens : undefined;
}

/** Text is put together from pieces: what came out must say what it should, and all else what it said. */
function checked(after: string, before: string, tokens: readonly unknown[]): string {
  const file = readYaml(before).value;
  const document = readYaml(after);
  const server = valueAt(file, ['server']);
  const expected = { ...(file as object), server: { ...(isMapping(server) ? server : {}), tokens } };
  if (document.findings.length > 0 || !isDeepStrictEqual(plain(document.value), plain(expected))) {
    throw new TokenEditError();
  }
  return after;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function insertToken(text: string, token: TokenFile): string {
  const root = parseDocument(text).contents;
  if (!isMap(root)) throw new TokenEditError();
  const server = pairOf(root, 'server');
  if (server === undefined) return addToMap(text, root, 'server', { tokens: [token] });
  if (!isMap(server.value)) return insertAfterKey(text, server, '  tokens:\n', blockItem(token, '    '));
  const tokens = pairOf(server.value, 'tokens');
  if (tokens === undefined) return addToMap(text, server.value, 'tokens', [token]);
  if (!isSeq(tokens.value)) throw new TokenEditError();
  return addToList(text, tokens.value, token);
}

function addToList(text: string, list: YAMLSeq, token: TokenFile): string {
  if (list.flow === true) return addInBrackets(text, list, JSON.stringify(token));
  return insertLine(text, endOf(list), blockItem(token, indentAt(text, list)));
}

function addToMap(text: string, map: YAMLMap, key: string, value: object): string {
  if (map.flow === true) return addInBrackets(text, map, `"${key}": ${JSON.stringify(value)}`);
  const indent = indentAt(text, map);
  const [token] = Array.isArray(value) ? value : (value as { tokens: TokenFile[] }).tokens;
  const isList = Array.isArray(value);
  const head = isList ? `${indent}${key}:\n` : `${indent}${key}:\n${indent}  tokens:\n`;
  return insertLine(text, endOf(map), head + blockItem(token, `${indent}${isList ? '  ' : '    '}`));
}

function addInBrackets(text: string, collection: YAMLMap | YAMLSeq, item: string): string {
  const close = collection.range![1] - 1;
  const inside = text.slice(collection.range![0] + 1, close);
  const comma = collection.items.length === 0 || /,\s*$/.test(inside) ? '' : ', ';
  const items = inside.trimEnd();
  return `${text.slice(0, collection.range![0] + 1)}${items}${comma}${item}${inside.slice(items.length)}${text.slice(close)}`;
}

/** `server:` with nothing after it. */
function insertAfterKey(text: string, pair: Pair, head: string, item: string): string {
  if (!isNode(pair.key) || (isNode(pair.value) && !(isScalar(pair.value) && pair.value.value === null))) {
    throw new TokenEditError();
  }
  return insertLine(text, pair.key.range![1], head + item);
}

function removeToken(text: string, index: number): string {
  const tokens = parseDocument(text).getIn(['server', 'tokens'], true);
  const server = parseDocument(text).getIn(['server'], true);
  if (!isSeq(tokens) || !isMap(server)) throw new TokenEditError();
  const items = tokens.items.filter((item) => isNode(item));
  if (items.length === 1 || tokens.flow === true) {
    const left = items.filter((_item, at) => at !== index).map(({ range }) => text.slice(range![0], range![1]));
    const from = pairOf(server, 'tokens')!.key as Node;
    return `${text.slice(0, from.range![1])}${afterKey(text, from)}[${left.join(', ')}]${text.slice(lastOf(text, tokens))}`;
  }
  const [from, to] = items[index]!.range!;
  return text.slice(0, lineStart(text, from)) + text.slice(lineEnd(text, trimmedEnd(text, to)));
}

/** Returns the colon and a blank. */
const afterKey = (text: string, { range }: Node): string => `${/^\s*:/.exec(text.slice(range![1]))?.[0] ?? ':'} `;

function lastOf(text: string, list: YAMLSeq): number {
  return list.flow === true ? list.range![1] : trimmedEnd(text, endOf(list));
}

function trimmedEnd(text: string, at: number): number {
  return text.slice(0, at).trimEnd().length;
}

/** Puts whole lines after the line in which something ends. */
function insertLine(text: string, end: number, lines: string): string {
  const at = lineEnd(text, trimmedEnd(text, end));
  const head = text.slice(0, at);
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${lines}${text.slice(at)}`;
}

function blockItem(token: TokenFile, indent: string): string {
  const lines = Object.entries(token)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${flowText(value)}`);
  return lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}\n`).join('');
}

/** JSON is YAML; plain words need no quotes. */
function flowText(value: unknown): string {
  if (typeof value === 'string' && /^(?!(?:true|false|null)$)[a-z][\w.:-]*\w$/i.test(value)) return value;
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  return JSON.stringify(value);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

const endOf = (collection: YAMLMap | YAMLSeq): number => {
  const last = collection.items.at(-1);
  const node = isMap(collection) ? ((last as Pair | undefined)?.value ?? (last as Pair | undefined)?.key) : last;
  return isNode(node) ? node.range![1] : collection.range![1];
};

function indentAt(text: string, { range }: YAMLMap | YAMLSeq): string {
  return ' '.repeat(range![0] - lineStart(text, range![0]));
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
