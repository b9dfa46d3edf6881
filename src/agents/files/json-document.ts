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
  /** Where its key begins, or its value if it has none. */
  readonly start: number;
  readonly node: JsonNode;
  /** Where the comma after it is, if there is one. */
  readonly comma: number | undefined;
}

const MAX_DEPTH = 200;
// Each of these repeats one class of characters: a repeated group would take a place on the stack for each character.
const BLANKS = /[\s\uFEFF]*/y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const STRING_PART = /[^"\\\n]*/y;
const SCALAR = /[-+.\w]+/y;

/** Reads JSON as editors write it, with comments and last commas, and remembers where everything stands. */
class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#skipSpace();
    const node = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault('something after the end');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.#fault('too deeply nested');
    const first = this.#text[this.#at];
    if (first === '{') return this.#container('object', '}', depth);
    if (first === '[') return this.#container('array', ']', depth);
    const start = this.#at;
    const token = first === '"' ? this.#takeString() : this.#take(SCALAR);
    return { kind: 'scalar', start, end: this.#at, value: this.#parse(token) };
  }

  #container(kind: 'object' | 'array', close: string, depth: number): JsonContainer {
    const start = this.#at++;
    const children: JsonChild[] = [];
    this.#skipSpace();
    while (this.#text[this.#at] !== close) {
      if (this.#at >= this.#text.length) throw this.#fault('it ends too early');
      const previous = children.at(-1);
      if (previous !== undefined && previous.comma === undefined) throw this.#fault('a comma is missing');
      children.push(this.#child(kind, depth));
      this.#skipSpace();
    }
    this.#at++;
    return { kind, start, end: this.#at, children };
  }

  #child(kind: 'object' | 'array', depth: number): JsonChild {
    const start = this.#at;
    const key = kind === 'object' ? this.#key() : '';
    const node = this.#value(depth + 1);
    this.#skipSpace();
    const comma = this.#text[this.#at] === ',' ? this.#at++ : undefined;
    return { key, start, node, comma };
  }

  #key(): string {
    const key = this.#parse(this.#takeString()) as string;
    this.#skipSpace();
    if (this.#text[this.#at] !== ':') throw this.#fault('a colon is missing');
    this.#at++;
    this.#skipSpace();
    return key;
  }

  #skipSpace(): void {
    for (;;) {
      this.#skip(BLANKS);
      if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end === -1) return;
        this.#at = end + 2;
      } else if (this.#text.startsWith('//', this.#at)) this.#skip(LINE_COMMENT);
      else return;
    }
  }

  #skip(run: RegExp): void {
    run.lastIndex = this.#at;
    this.#at += run.exec(this.#text)![0].length;
  }

  #takeString(): string {
    const start = this.#at;
    const isString = this.#text[start] === '"';
    for (let at = start + 1; isString; at++) {
      STRING_PART.lastIndex = at;
      at += STRING_PART.exec(this.#text)![0].length;
      const end = this.#text[at];
      if (end === '"') {
        this.#at = at + 1;
        return this.#text.slice(start, this.#at);
      }
      // A backslash takes the character behind it along.
      if (end !== '\\' || ++at >= this.#text.length || this.#text[at] === '\n') break;
    }
    throw this.#fault(start >= this.#text.length ? 'it ends too early' : 'this cannot stand here');
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#at;
    const found = token.exec(this.#text)?.[0];
    if (found === undefined)
      throw this.#fault(this.#at >= this.#text.length ? 'it ends too early' : 'this cannot stand here');
    this.#at += found.length;
    return found;
  }

  #parse(token: string): unknown {
    try {
      return JSON.parse(token);
    } catch {
      this.#at -= token.length;
      throw this.#fault('this cannot stand here');
    }
  }

  #fault(what: string): JsonSyntaxError {
    const before = this.#text.slice(0, this.#at).split('\n');
    return new JsonSyntaxError(what, { line: before.length, column: before.at(-1)!.length + 1 });
  }
}

/** The text is no JSON, not even as editors write it. Its words quote nothing of the text. */
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

/** @throws JsonSyntaxError */
export function readJsonDocument(text: string): JsonNode {
  return new JsonReader(text).document();
}

/** The plain value of a node. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.children.map((child) => plainValue(child.node));
  return Object.fromEntries(node.children.map((child) => [child.key, plainValue(child.node)]));
}

/** The child at a path of keys; of a key that stands twice, the last one, as every reader takes it. */
export function childAt(node: JsonNode, path: readonly string[]): JsonChild | undefined {
  let found: JsonChild | undefined;
  let here: JsonNode | undefined = node;
  for (const key of path) {
    if (here?.kind !== 'object') return undefined;
    found = here.children.findLast((child) => child.key === key);
    here = found?.node;
  }
  return found;
}
