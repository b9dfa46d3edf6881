import { trimmedEnd } from '../../core/text/trimmed.ts';
import {
  childAt,
  type JsonChild,
  type JsonContainer,
  type JsonNode,
  JsonSyntaxError,
  plainValue,
  readJsonDocument,
} from './json-document.ts';

/** The file is not of the kind that an entry could be written into. */
export class FileEditError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FileEditError';
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the member at `path` set; what stands around it, comments too, stays as it is. */
export function setMember(text: string, path: readonly string[], value: unknown): string {
  const root = objectIn(text);
  const there = childAt(root, path);
  if (there !== undefined) return replace(text, there.node, value);
  const [container, missing] = deepest(root, path);
  return insert(text, container, { key: missing[0]!, value: nested(missing.slice(1), value) });
}

/** The text with one more item at the end of the array at `path`, which is made if need be. */
export function appendItem(text: string, path: readonly string[], value: unknown): string {
  const there = childAt(objectIn(text), path)?.node;
  if (there === undefined) return setMember(text, path, [value]);
  if (there.kind !== 'array') throw new FileEditError(`${shown(path)} is no list`);
  return insert(text, there, { value });
}

/** The text without the member at `path`, and without the objects around it that this leaves empty. */
export function removeMember(text: string, path: readonly string[]): string {
  const parent = containerAt(objectIn(text), path.slice(0, -1));
  const child = parent?.children.findLast(({ key }) => key === path.at(-1));
  if (parent === undefined || child === undefined) return text;
  return withoutEmpty(remove(text, parent, [child]), path.slice(0, -1));
}

/** The text without those items of the array at `path` that are chosen, and without the array if this empties it. */
export function removeItems(text: string, path: readonly string[], isChosen: (item: JsonNode) => boolean): string {
  const array = childAt(objectIn(text), path)?.node;
  if (array?.kind !== 'array') return text;
  const chosen = array.children.filter(({ node }) => isChosen(node));
  return chosen.length === 0 ? text : withoutEmpty(remove(text, array, chosen), path);
}

/** Whether nothing is in the document: neither a member nor a comment. */
export function isEmptyDocument(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text.replace(/^\uFEFF/, ''));
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
  if (root.kind !== 'object') throw new FileEditError('there is no JSON object in it');
  return root;
}

function containerAt(root: JsonContainer, path: readonly string[]): JsonContainer | undefined {
  if (path.length === 0) return root;
  const node = childAt(root, path)?.node;
  return node === undefined || node.kind === 'scalar' ? undefined : node;
}

/** The innermost object on the way that is there, and the keys that are not. */
function deepest(root: JsonContainer, path: readonly string[]): [JsonContainer, readonly string[]] {
  for (let length = path.length - 1; length > 0; length--) {
    const node = childAt(root, path.slice(0, length))?.node;
    if (node === undefined) continue;
    if (node.kind !== 'object') throw new FileEditError(`${shown(path.slice(0, length))} is no object`);
    return [node, path.slice(length)];
  }
  return [root, path];
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value);
}

/** On one line where there was one line; the same value stays as it is written. */
function replace(text: string, node: JsonNode, value: unknown): string {
  if (JSON.stringify(plainValue(node)) === JSON.stringify(value)) return text;
  const { start, end } = node;
  const isInline = !text.trim().includes('\n');
  return apply(text, [{ start, end, text: isInline ? JSON.stringify(value) : printed(value, layoutOf(text, start)) }]);
}

function insert(
  text: string,
  container: JsonContainer,
  { key, value }: { readonly key?: string; readonly value: unknown },
): string {
  const layout = layoutOf(text, container.start);
  const isInline = container.children.length > 0 && !text.slice(container.start, container.end).includes('\n');
  const label = key === undefined ? '' : `${JSON.stringify(key)}:${isInline ? '' : ' '}`;
  const last = container.children.at(-1);
  if (isInline) {
    const gap = last?.comma === undefined ? ', ' : ' ';
    const at = last?.comma === undefined ? last!.node.end : last.comma + 1;
    return apply(text, [{ start: at, end: at, text: `${gap}${label}${JSON.stringify(value)}` }]);
  }
  const inner = { ...layout, indent: layout.indent + layout.unit };
  const close = container.end - 1;
  const from = container.start + 1 + text.slice(container.start + 1, close).trimEnd().length;
  const tail = last?.comma === undefined ? '' : ',';
  const member = `${layout.eol}${inner.indent}${label}${printed(value, inner)}${tail}${layout.eol}${layout.indent}`;
  const edits: Edit[] = [{ start: from, end: close, text: member }];
  if (last !== undefined && last.comma === undefined) {
    edits.unshift({ start: last.node.end, end: last.node.end, text: ',' });
  }
  return apply(text, edits);
}

/** Each child goes with its comma and the white space before it; the last one that stays has a comma only if the last had one. */
function remove(text: string, parent: JsonContainer, removed: readonly JsonChild[]): string {
  const isRemoved = new Set(removed);
  const edits: Edit[] = [];
  let gapStart = parent.start + 1;
  let lastKept: JsonChild | undefined;
  for (const child of parent.children) {
    const end = endOf(child);
    if (isRemoved.has(child)) edits.push({ start: startOfGap(text, gapStart, child.start), end, text: '' });
    else lastKept = child;
    gapStart = end;
  }
  const comma = lastKept?.comma;
  const last = parent.children.at(-1)!;
  if (comma !== undefined && isRemoved.has(last) && last.comma === undefined) {
    edits.push({ start: comma, end: comma + 1, text: '' });
  }
  return apply(text, edits);
}

const endOf = ({ comma, node }: JsonChild): number => (comma === undefined ? node.end : comma + 1);

/** Where the line break and the indent before a child begin; a comment before it stays. */
function startOfGap(text: string, from: number, start: number): number {
  const gap = text.slice(from, start);
  return from + trimmedEnd(gap, ' \t').replace(/\r?\n$/, '').length;
}

function withoutEmpty(text: string, path: readonly string[]): string {
  const root = objectIn(text);
  const node = path.length === 0 ? root : childAt(root, path)?.node;
  if (node === undefined || node.kind === 'scalar' || node.children.length > 0) return text;
  if (text.slice(node.start + 1, node.end - 1).trim() !== '') return text; // a comment
  if (path.length > 0) return removeMember(text, path);
  return apply(text, [{ start: node.start + 1, end: node.end - 1, text: '' }]);
}

interface Layout {
  readonly indent: string;
  readonly unit: string;
  readonly eol: string;
}

/** How the file is written at this place. */
function layoutOf(text: string, at: number): Layout {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  return {
    indent: /^[ \t]*/.exec(text.slice(lineStart, at))![0],
    unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function printed(value: unknown, { indent, unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

/** `edits` do not overlap; of two at one place the first comes first. */
function apply(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  return pieces.join('') + text.slice(at);
}

function shown(path: readonly string[]): string {
  return JSON.stringify(path.join('.'));
}
