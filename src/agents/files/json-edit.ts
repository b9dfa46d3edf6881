import { isDeepStrictEqual } from 'node:util';
import { createScanner, type SyntaxKind } from 'jsonc-parser';
import {
  childAt,
  type JsonChild,
  type JsonContainer,
  type JsonNode,
  type JsonPath,
  JsonSyntaxError,
  plainValue,
  readJsonDocument,
} from './json-document.ts';
import { pathRemoved, pathSet, withoutEmptyAt } from './plain-edit.ts';
import { applyEdits, cutting, FileEditError, lineEndOf, type TextEdit, type TextRange } from './text-edits.ts';

// The library declares its kinds of tokens as a const enum, which cannot be imported.
const LINE_COMMENT: SyntaxKind.LineCommentTrivia = 12;
const BLOCK_COMMENT: SyntaxKind.BlockCommentTrivia = 13;
const END_OF_TEXT: SyntaxKind.EOF = 17;

/** Options of a removal. */
export interface RemovalOptions {
  /** The number of outer objects and arrays on the path that stay even if they are left empty. Default: 0. */
  readonly kept?: number;
}

/**
 * Returns the text with the member at `path` set. Everything around it is unchanged, including comments.
 * @throws FileEditError if the text is not JSON, has no place for the member, or something else would change
 */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const root = objectIn(text);
  const there = childAt(root, path);
  const plain: unknown = JSON.parse(JSON.stringify(value));
  if (there !== undefined && isDeepStrictEqual(plainValue(there.node), plain)) return text;
  const [container, missing] = deepest(root, path);
  const next =
    there === undefined
      ? insert(text, container, { key: missing[0]!, value: nested(missing.slice(1), value) })
      : replace(text, there, value);
  return verified(next, pathSet(plainValue(root), path, plain));
}

/**
 * Returns the text with one more item at the end of the array at `path`, which is made if it is missing.
 * @throws FileEditError
 */
export function appendItem(text: string, path: readonly string[], value: unknown): string {
  const root = objectIn(text);
  const there = childAt(root, path)?.node;
  if (there === undefined) return setMember(text, path, [value]);
  if (there.kind !== 'array') throw new FileEditError(`${shown(path)} is not a list`);
  const items = [...(plainValue(there) as unknown[]), JSON.parse(JSON.stringify(value))];
  return verified(insert(text, there, { value }), pathSet(plainValue(root), path, items));
}

/**
 * Returns the text without the member at `path`, and without the objects around it that this leaves empty. Comments stay, those
 * in the member too.
 * @throws FileEditError if the text is not JSON, or something else would change
 */
export function removeMember(text: string, path: readonly string[], { kept = 0 }: RemovalOptions = {}): string {
  const root = objectIn(text);
  const parent = containerAt(root, path.slice(0, -1));
  const child = parent?.children.findLast(({ key }) => key === path.at(-1));
  if (parent === undefined || child === undefined) return text;
  const around = path.slice(0, -1);
  const next = withoutEmpty(remove(text, parent, [child]), around, kept);
  return verified(next, pathRemoved(plainValue(root), path), around);
}

/**
 * Returns the text without those items of the array at `path` that are chosen, and without the array, and what is around it,
 * that this leaves empty.
 * @throws FileEditError if the text is not JSON, or something else would change
 */
export function removeItems(
  text: string,
  path: JsonPath,
  isChosen: (item: JsonNode) => boolean,
  { kept = 0 }: RemovalOptions = {},
): string {
  const root = objectIn(text);
  const array = childAt(root, path)?.node;
  if (array?.kind !== 'array') return text;
  const chosen = new Set(array.children.filter(({ node }) => isChosen(node)));
  if (chosen.size === 0) return text;
  const rest = array.children.filter((child) => !chosen.has(child)).map(({ node }) => plainValue(node));
  const next = withoutEmpty(remove(text, array, [...chosen]), path, kept);
  return verified(next, pathSet(plainValue(root), path, rest), path);
}

/** Returns whether the document is empty: it has no member and no comment. */
export function isEmptyDocument(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text.replace(/^\uFEFF/, ''));
}

/** Returns an empty JSON object in place of a text without anything in it: with its byte order mark and its line ends. */
export function emptyDocument(text: string | undefined): string {
  return `${text?.startsWith('\uFEFF') === true ? '\uFEFF' : ''}{}${lineEndOf(text ?? '')}`;
}

/**
 * Returns the text, if it has this value. Objects and arrays on the path that are empty may be missing.
 * @throws FileEditError otherwise: then the edit has changed something that is not ours
 */
function verified(text: string, expected: unknown, path: JsonPath = []): string {
  if (isDeepStrictEqual(withoutEmptyAt(parsedValue(text), path), withoutEmptyAt(expected, path))) return text;
  throw new FileEditError('it cannot be edited without changing more than our entry: edit it by hand');
}

function parsedValue(text: string): unknown {
  try {
    return plainValue(readJsonDocument(text));
  } catch {
    return undefined; // equal to no document
  }
}

function objectIn(text: string): JsonContainer {
  let root: JsonNode;
  try {
    root = readJsonDocument(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new FileEditError(`it is not JSON (line ${error.line}, column ${error.column}: ${error.message})`);
    }
    throw error;
  }
  if (root.kind !== 'object') throw new FileEditError('it contains no JSON object');
  return root;
}

function containerAt(root: JsonContainer, path: JsonPath): JsonContainer | undefined {
  const node = path.length === 0 ? root : childAt(root, path)?.node;
  return node === undefined || node.kind === 'scalar' ? undefined : node;
}

/** Returns the innermost object on the way that is there, and the keys that are not. */
function deepest(root: JsonContainer, path: readonly string[]): [JsonContainer, readonly string[]] {
  for (let length = path.length - 1; length > 0; length--) {
    const node = childAt(root, path.slice(0, length))?.node;
    if (node === undefined) continue;
    if (node.kind !== 'object') throw new FileEditError(`${shown(path.slice(0, length))} is not an object`);
    return [node, path.slice(length)];
  }
  return [root, path];
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** On one line where there was one line. Comments in the old value come before the member. */
function replace(text: string, { start, node }: JsonChild, value: unknown): string {
  const isInline = !text.trim().includes('\n');
  const layout = layoutOf(text, start);
  const next = isInline ? JSON.stringify(value) : printed(value, layout);
  const comments = commentsIn(text, node).map((comment) => comment + layout.eol + layout.indent);
  return applyEdits(text, [
    ...(comments.length === 0 ? [] : [{ start, end: start, text: comments.join('') }]),
    { start: node.start, end: node.end, text: next },
  ]);
}

function insert(
  text: string,
  container: JsonContainer,
  { key, value }: { readonly key?: string; readonly value: unknown },
): string {
  const isInline = container.children.length > 0 && !text.slice(container.start, container.end).includes('\n');
  const label = key === undefined ? '' : `${JSON.stringify(key)}:${isInline ? '' : ' '}`;
  const last = container.children.at(-1);
  if (isInline) {
    const gap = last?.comma === undefined ? ', ' : ' ';
    const at = last?.comma === undefined ? last!.node.end : last.comma + 1;
    return applyEdits(text, [{ start: at, end: at, text: `${gap}${label}${JSON.stringify(value)}` }]);
  }
  const layout = layoutOf(text, container.start);
  const inner = { ...layout, indent: layout.indent + layout.unit };
  const tail = last?.comma === undefined ? '' : ',';
  const member = `${layout.eol}${inner.indent}${label}${printed(value, inner)}${tail}`;
  const edits: TextEdit[] = [beforeClose(text, container, { member, newLine: layout.eol + layout.indent })];
  if (last !== undefined && last.comma === undefined) {
    edits.unshift({ start: last.node.end, end: last.node.end, text: ',' });
  }
  return applyEdits(text, edits);
}

/** Line breaks that are there before the closing bracket stay. */
function beforeClose(
  text: string,
  container: JsonContainer,
  { member, newLine }: { readonly member: string; readonly newLine: string },
): TextEdit {
  const close = container.end - 1;
  const start = container.start + 1 + text.slice(container.start + 1, close).trimEnd().length;
  if (text.slice(start, close).includes('\n')) return { start, end: start, text: member };
  return { start, end: close, text: member + newLine };
}

/** Each child goes with its comma. The last one that stays has a comma only if the last one had one. */
function remove(text: string, parent: JsonContainer, removed: readonly JsonChild[]): string {
  const isRemoved = new Set(removed);
  const edits: TextEdit[] = removed.map((child) => {
    const range = { start: child.start, end: child.comma === undefined ? child.node.end : child.comma + 1 };
    return cutting(text, range, commentsIn(text, range));
  });
  const comma = parent.children.findLast((child) => !isRemoved.has(child))?.comma;
  const last = parent.children.at(-1)!;
  if (comma !== undefined && isRemoved.has(last) && last.comma === undefined) {
    edits.push({ start: comma, end: comma + 1, text: '' });
  }
  return applyEdits(text, edits);
}

/** Returns the comments in a part of a text, as they are written. */
function commentsIn(text: string, { start, end }: TextRange): string[] {
  const scanner = createScanner(text.slice(start, end));
  const comments: string[] = [];
  for (let token = scanner.scan(); token !== END_OF_TEXT; token = scanner.scan()) {
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      const at = start + scanner.getTokenOffset();
      comments.push(text.slice(at, at + scanner.getTokenLength()));
    }
  }
  return comments;
}

function withoutEmpty(text: string, path: JsonPath, kept: number): string {
  const node = containerAt(objectIn(text), path);
  if (node === undefined || node.children.length > 0) return text;
  if (text.slice(node.start + 1, node.end - 1).trim() !== '') return text; // a comment
  if (path.length <= kept) return applyEdits(text, [{ start: node.start + 1, end: node.end - 1, text: '' }]);
  const around = path.slice(0, -1);
  const parent = containerAt(objectIn(text), around)!;
  const child = parent.children.find((candidate) => candidate.node.start === node.start)!;
  return withoutEmpty(remove(text, parent, [child]), around, kept);
}

interface Layout {
  readonly indent: string;
  readonly unit: string;
  readonly eol: string;
}

/** Returns the style of the file at this place. */
function layoutOf(text: string, at: number): Layout {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return {
    indent: /^[ \t]*/.exec(text.slice(lineStart, at))![0],
    unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    eol: lineEndOf(text),
  };
}

function printed(value: unknown, { indent, unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function shown(path: JsonPath): string {
  return JSON.stringify(path.join('.'));
}
