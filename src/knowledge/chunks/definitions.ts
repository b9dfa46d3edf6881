import type { Node } from 'web-tree-sitter';
import { MOST } from './blocks.ts';
import { type Definition, lastRow, rowsOf } from './definition.ts';
import { Lead } from './lead.ts';
import { joinPath, lastPart, nameOf, receiverOf } from './names.ts';
import type { Role, Roles } from './roles.ts';
import { kindOfValue, namedValue } from './values.ts';

/** Deeper than real code, and far from the end of the stack. */
const MAX_DEPTH = 60;

/** A wrapper, such as `export`, adds few rows to what it wraps. */
const MAX_WRAPPER_ROWS = 6;

/** The part of a file in which definitions are looked for. */
interface SearchScope {
  readonly roles: Roles;
  /** The path of the symbol around it. */
  readonly path: string;
  readonly inClass: boolean;
  readonly depth: number;
}

/** Returns the definitions below a node in their order, those of classes and of large functions with their members. */
export function definitionsIn(node: Node, roles: Roles): Definition[] {
  return collect(node, { roles, path: '', inClass: false, depth: 0 });
}

function collect(node: Node, place: SearchScope): Definition[] {
  if (place.depth > MAX_DEPTH) return [];
  const found: Definition[] = [];
  const lead = new Lead();
  for (const child of node.namedChildren) {
    if (place.roles.get(child.type) === 'lead') lead.take(child);
    else {
      for (const one of ofChild(child, place, lead.startOf(child))) found.push(one);
      lead.pass(child);
    }
  }
  return found;
}

type Read = (node: Node, place: SearchScope, startRow: number) => Definition[];

const READ: Readonly<Record<Exclude<Role, 'lead'>, Read>> = {
  function: readFunction,
  class: (node, place, startRow) => readClass(node, place, startRow, 'class'),
  extension: (node, place, startRow) => readClass(node, place, startRow, 'extension'),
  type: (node, place, startRow) => readClass(node, place, startRow, 'type'),
  value: readValue,
  through: (node, place) => collect(node, deeper(place)),
  wrapper: (node, place, startRow) => wrapped(node, collect(node, deeper(place)), startRow),
  space: (node, place) => collect(bodyOf(node) ?? node, deeper(place, nameOf(node))),
};

function ofChild(node: Node, place: SearchScope, startRow: number): Definition[] {
  const role = place.roles.get(node.type);
  if (role === undefined || role === 'lead') return inLarge(node, place);
  return READ[role](node, place, startRow);
}

const isLarge = (node: Node): boolean => rowsOf(node) > MOST.lines;

/** A large statement, such as a call around a whole module, has definitions in it. */
const inLarge = (node: Node, place: SearchScope): Definition[] => (isLarge(node) ? collect(node, deeper(place)) : []);

const deeper = (place: SearchScope, name = ''): SearchScope => ({
  ...place,
  path: joinPath(place.path, name),
  depth: place.depth + 1,
});

const bodyOf = (node: Node): Node | undefined => node.childForFieldName('body') ?? undefined;

function readFunction(node: Node, place: SearchScope, startRow: number): Definition[] {
  const [receiver, name] = [receiverOf(node), nameOf(node)];
  const symbol = joinPath(joinPath(place.path, receiver), name);
  const isMethod = place.inClass || receiver !== '' || name.includes('.');
  const names = name === '' ? [] : [lastPart(name)];
  const inside = { ...deeper(place), path: symbol, inClass: false };
  const members = functionsInLarge(node, bodyOf(node) ?? node, inside);
  return [{ kind: isMethod ? 'method' : 'function', names, symbol, ...rows(node, startRow), members, node }];
}

/** Returns the definitions inside a large function, without its values: their names do not matter outside. */
const functionsInLarge = (node: Node, body: Node, inside: SearchScope): Definition[] =>
  isLarge(node) ? collect(body, inside).filter(({ kind }) => kind !== 'block') : [];

/** Returns the definition of a class. A class without a name is part of something else, such as the type of a value. */
function readClass(
  node: Node,
  place: SearchScope,
  startRow: number,
  role: 'class' | 'extension' | 'type',
): Definition[] {
  const name = nameOf(node);
  if (name === '') return collect(node, deeper(place));
  const inside = { ...deeper(place, name), inClass: true };
  const members = role === 'type' ? [] : collect(bodyOf(node) ?? node, inside);
  const names = role === 'extension' ? [] : [lastPart(name)];
  return [{ kind: 'class', names, symbol: inside.path, ...rows(node, startRow), members, node }];
}

function readValue(node: Node, place: SearchScope, startRow: number): Definition[] {
  const named = namedValue(node);
  if (named === undefined) return isWrapper(node, place) ? collect(node, deeper(place)) : inLarge(node, place);
  const names = named.names.filter((name) => name !== '');
  const written = kindOfValue(named.value);
  const kind = written === 'function' && place.inClass ? 'method' : written;
  const symbol = joinPath(place.path, names[0] ?? '');
  const members =
    named.value === undefined ? [] : membersOfValue(node, named.value, { ...deeper(place), path: symbol });
  return [{ kind, names: names.map(lastPart), symbol, ...rows(node, startRow), members, node }];
}

/** A namespace of TypeScript is a kind of expression. */
const isWrapper = (node: Node, { roles }: SearchScope): boolean =>
  roles.get(node.namedChildren[0]?.type ?? '') === 'space';

function membersOfValue(node: Node, value: Node, place: SearchScope): Definition[] {
  const body = bodyOf(value) ?? value;
  const kind = kindOfValue(value);
  if (kind === 'class') return collect(body, { ...place, inClass: true });
  if (kind === 'function') return functionsInLarge(node, body, { ...place, inClass: false });
  return isLarge(node) ? collect(body, place) : [];
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
  const { row } = node.startPosition;
  const endRow = Math.max(only.endRow, lastRow(node));
  if (only.startRow - row + (endRow - only.endRow) > MAX_WRAPPER_ROWS) return found;
  return [{ ...only, startRow, headRow: Math.min(only.headRow, row), endRow }];
}
