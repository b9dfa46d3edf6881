import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

/** A value in a JSON text, and where it stands. */
export type JsonNode = JsonContainer | JsonScalar;

export interface JsonContainer {
  readonly kind: 'object' | 'array';
  readonly start: number;
  readonly end: number;
  readonly children: readonly JsonChild[];
}

interface JsonScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

/** A member of an object or an item of an array. */
export interface JsonChild {
  /** Empty for items. */
  readonly key: string;
  /** Start of its key, or of its value if it has no key. */
  readonly start: number;
  readonly node: JsonNode;
  /** Position of the comma after it, if there is one. */
  readonly comma: number | undefined;
}

/** Keys that lead to a value: names of members and numbers of items. */
export type JsonPath = readonly (string | number)[];

/** The text is not JSON, not even with comments and trailing commas. The message quotes nothing of the text. */
export class JsonSyntaxError extends SyntaxError {
  readonly line: number;
  readonly column: number;

  constructor(what: string, { line, column }: { readonly line: number; readonly column: number }) {
    super(what);
    this.name = 'JsonSyntaxError';
    this.line = line;
    this.column = column;
  }
}

const MAX_DEPTH = 200;
const FAULTS: Readonly<Record<string, string>> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  EndOfFileExpected: 'something after the end',
  UnexpectedEndOfComment: 'a comment does not end',
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type OpenContainer = Writable<Omit<JsonContainer, 'children'>> & { readonly children: Writable<JsonChild>[] };

/** Builds a tree from the events of the parser. */
class TreeBuilder {
  root: JsonNode | undefined;
  readonly #open: OpenContainer[] = [];
  #member: { readonly key: string; readonly start: number } | undefined;

  get depth(): number {
    return this.#open.length;
  }

  member(key: string, start: number): void {
    this.#member = { key, start };
  }

  add(node: JsonNode): void {
    const { key, start } = this.#member ?? { key: '', start: node.start };
    this.#member = undefined;
    this.#open.at(-1)?.children.push({ key, start, node, comma: undefined });
    this.root ??= node;
  }

  begin(kind: JsonContainer['kind'], start: number): void {
    const container: OpenContainer = { kind, start, end: start, children: [] };
    this.add(container);
    this.#open.push(container);
  }

  end(end: number): void {
    this.#open.pop()!.end = end;
  }

  comma(at: number): void {
    const last = this.#open.at(-1)?.children.at(-1);
    if (last !== undefined) last.comma = at;
  }
}

/**
 * Parses JSON as editors write it: with comments, trailing commas and a byte order mark.
 * @throws JsonSyntaxError
 */
export function readJsonDocument(text: string): JsonNode {
  const builder = new TreeBuilder();
  const begin = (kind: JsonContainer['kind']) => (start: number, _length: number, line: number, column: number) => {
    if (builder.depth > MAX_DEPTH) throw new JsonSyntaxError('too deeply nested', place(line, column));
    builder.begin(kind, start);
  };
  const end = (offset: number, length: number): void => builder.end(offset + length);
  visit(
    text.replace(/^\uFEFF/, ' '),
    {
      onObjectBegin: begin('object'),
      onArrayBegin: begin('array'),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (key, offset) => builder.member(key, offset),
      onLiteralValue: (value, start, length) =>
        builder.add({ kind: 'scalar', start, end: start + length, value: value as unknown }),
      onSeparator: (character, offset) => {
        if (character === ',') builder.comma(offset);
      },
      onError: (code, offset, _length, line, column) => {
        throw new JsonSyntaxError(faultOf(code, offset >= text.length), place(line, column));
      },
    },
    { allowTrailingComma: true },
  );
  return builder.root!;
}

const place = (line: number, column: number) => ({ line: line + 1, column: column + 1 });

function faultOf(code: ParseErrorCode, isAtEnd: boolean): string {
  return FAULTS[printParseErrorCode(code)] ?? (isAtEnd ? 'it ends too early' : 'this cannot stand here');
}

/** Returns the plain value of a node. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.children.map((child) => plainValue(child.node));
  return Object.fromEntries(node.children.map((child) => [child.key, plainValue(child.node)]));
}

/** Returns the child at a path. Of members with the same name the last one counts, as for every reader. */
export function childAt(node: JsonNode, path: JsonPath): JsonChild | undefined {
  let found: JsonChild | undefined;
  let here: JsonNode | undefined = node;
  for (const key of path) {
    if (here === undefined || here.kind !== (typeof key === 'number' ? 'array' : 'object')) return undefined;
    const { children } = here as JsonContainer;
    found = typeof key === 'number' ? children[key] : children.findLast((child) => child.key === key);
    here = found?.node;
  }
  return found;
}
