import type { Node } from 'web-tree-sitter';
import { MAX_LINES } from './blocks.ts';
import { type Definition, lastRow, rowsOf } from './definition.ts';
import { lastPart, nameOf } from './names.ts';
import type { Role } from './roles.ts';
import { kindOfValue, namedValue } from './values.ts';

/** Deeper than anybody writes, and far from the end of the stack. */
const MAX_DEPTH = 60;

/** A wrapper, such as `export`, adds few rows to what it wraps. */
const MAX_WRAPPER_ROWS = 6;

/** Where in a file definitions are looked for. */
interface Place {
  readonly roles: ReadonlyMap<string, Role>;
  /** The path of the symbol around it. */
  readonly path: string;
  readonly inClass: boolean;
  readonly depth: number;
}

/** Returns the definitions below a node in their order, those of classes with their members. */
export function definitionsIn(node: Node, roles: ReadonlyMap<string, Role>, path = ''): Definition[] {
  return collect(node, { roles, path, inClass: false, depth: 0 });
}

function collect(node: Node, place: Place): Definition[] {
  if (place.depth > MAX_DEPTH) return [];
  const found: Definition[] = [];
  const lead = new Lead();
  for (const child of node.namedChildren) {
    if (place.roles.get(child.type) === 'lead') lead.take(child);
    else {
      found.push(...ofChild(child, place, lead.startOf(child)));
      lead.pass(child);
    }
  }
  return found;
}

/** The rows of comments and attributes that stand right in front of the next definition. */
class Lead {
  #start = -1;
  #end = -2;
  /** Where the last definition ended: what follows in its row belongs to it. */
  #passed = -1;

  take(node: Node): void {
    const { row } = node.startPosition;
    if (row === this.#passed) return;
    if (row > this.#end + 1) this.#start = row;
    this.#end = lastRow(node);
  }

  startOf(node: Node): number {
    const { row } = node.startPosition;
    return this.#end >= row - 1 ? Math.min(this.#start, row) : row;
  }

  pass(node: Node): void {
    this.#passed = lastRow(node);
    this.#end = -2;
  }
}

function ofChild(node: Node, place: Place, startRow: number): Definition[] {
  const role = place.roles.get(node.type);
  if (role === 'function') return [functionOf(node, place, startRow)];
  if (role === 'class' || role === 'extension' || role === 'type') return classOf(node, place, startRow, role);
  if (role === 'value') return namesOf(node, place, startRow);
  if (role === 'through') return wrapped(node, collect(node, deeper(place)), startRow);
  if (role === 'space') return collect(bodyOf(node) ?? node, deeper(place, nameOf(node)));
  return rowsOf(node) > MAX_LINES ? collect(node, deeper(place)) : [];
}

function deeper(place: Place, name = ''): Place {
  return { ...place, path: join(place.path, name), depth: place.depth + 1 };
}

const join = (path: string, name: string): string => [path, name].filter((part) => part !== '').join('.');

const bodyOf = (node: Node): Node | undefined => node.childForFieldName('body') ?? undefined;

function functionOf(node: Node, place: Place, startRow: number): Definition {
  const receiver = receiverOf(node);
  const name = nameOf(node);
  const isMethod = place.inClass || receiver !== '' || name.includes('.');
  return {
    kind: isMethod ? 'method' : 'function',
    names: name === '' ? [] : [lastPart(name)],
    symbol: join(join(place.path, receiver), name),
    ...rows(node, startRow),
    members: [],
    node,
  };
}

/** The type of a method of Go: `(c *Command)`. */
function receiverOf(node: Node): string {
  const text = node.childForFieldName('receiver')?.text ?? '';
  return /(\w+)\s*(?:\[[^\]]*\])?\)$/.exec(text)?.[1] ?? '';
}

/** A class that is only mentioned, such as `struct point p`, has no body, and is no definition. */
function classOf(node: Node, place: Place, startRow: number, role: 'class' | 'extension' | 'type'): Definition[] {
  const name = nameOf(node);
  const symbol = join(place.path, name);
  if (name === '') return collect(node, deeper(place));
  const inside = { ...deeper(place, name), inClass: true };
  return [
    {
      kind: 'class',
      names: role === 'extension' ? [] : [lastPart(name)],
      symbol,
      ...rows(node, startRow),
      members: role === 'type' ? [] : collect(bodyOf(node) ?? node, inside),
      node,
    },
  ];
}

/** A small value is a name in the text around it; a function is a definition, and a large value has some in it. */
function namesOf(node: Node, place: Place, startRow: number): Definition[] {
  const named = namedValue(node);
  if (named === undefined) return rowsOf(node) > MAX_LINES ? collect(node, deeper(place)) : [];
  const names = named.names.filter((name) => name !== '');
  const written = kindOfValue(named.value);
  const kind = written === 'function' && place.inClass ? 'method' : written;
  const isLarge = rowsOf(node) > MAX_LINES;
  const inside = { ...deeper(place, names[0]), inClass: kind === 'class' || place.inClass };
  const members =
    named.value !== undefined && (kind === 'class' || (isLarge && kind === 'block'))
      ? collect(bodyOf(named.value) ?? named.value, inside)
      : [];
  return [
    {
      kind,
      names: names.map(lastPart),
      symbol: join(place.path, names[0] ?? ''),
      ...rows(node, startRow),
      members,
      node,
    },
  ];
}

function rows(node: Node, startRow: number) {
  const endRow = lastRow(node);
  const headRow = node.startPosition.row;
  const body = bodyOf(node)?.startPosition.row ?? headRow;
  return { startRow, endRow, headRow, headEnd: Math.min(Math.max(body, headRow), endRow) };
}

/** `export` and decorators belong to the one definition in them. */
function wrapped(node: Node, found: Definition[], startRow: number): Definition[] {
  const [only] = found;
  if (found.length !== 1 || only === undefined) return found;
  const added = only.startRow - node.startPosition.row + (lastRow(node) - only.endRow);
  if (added > MAX_WRAPPER_ROWS) return found;
  return [
    {
      ...only,
      startRow,
      headRow: Math.min(only.headRow, node.startPosition.row),
      endRow: Math.max(only.endRow, lastRow(node)),
    },
  ];
}
