import type { Node } from 'web-tree-sitter';

/** The longest name; anything longer is code in the place of a name. */
const MAX_NAME = 120;

/** Declarators of C are nested: `*name[3]`, `(*name)(int)`. */
const MAX_NESTED = 12;

const IDENTIFIER = /identifier|^(?:constant|name|word|variable_name|constructor|setter|operator_name)$/;

/** Names that are words of the language. */
const CONSTRUCTOR = /^(?:constructor|init|deinit|subscript)$/;

/** Returns the name that a definition has, with the path that is written in it (`Parser::parse`), or `''`. */
export function nameOf(node: Node): string {
  const field = node.childForFieldName('name') ?? declared(node) ?? node.childForFieldName('type');
  const named = field ?? node.namedChildren.find((child) => IDENTIFIER.test(child.type));
  if (named !== undefined)
    return cleanName(named.type === 'variable_name' ? named.text.replace(/^\$/, '') : named.text);
  return CONSTRUCTOR.exec(node.firstChild?.text ?? '')?.[0] ?? '';
}

function declared(node: Node): Node | undefined {
  let found = node.childForFieldName('declarator') ?? undefined;
  for (let depth = 0; found !== undefined && depth < MAX_NESTED; depth++) {
    const inner: Node | undefined =
      found.childForFieldName('declarator') ?? found.childForFieldName('name') ?? innerDeclarator(found);
    if (inner === undefined || found.type === 'qualified_identifier') return found;
    found = inner;
  }
  return found;
}

/** A reference of C++ has its declarator as a child without a name. */
function innerDeclarator(node: Node): Node | undefined {
  if (!/^(?:reference|parenthesized)_declarator$/.test(node.type)) return undefined;
  return node.namedChildren.at(-1);
}

/** Paths are written with dots, in every language. */
export function cleanName(text: string): string {
  const end = text.search(/[<({[]/);
  const name = (end === -1 ? text : text.slice(0, end))
    .replaceAll(/::|->|\\/g, '.')
    .replaceAll(/['"\s]/g, '')
    .replace(/^[.&*]+/, '');
  return name.length > MAX_NAME ? '' : name;
}

/** Returns the last part of a path. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Joins the parts of a path that are not empty. */
export const joinPath = (path: string, name: string): string =>
  path === '' || name === '' ? path + name : `${path}.${name}`;

/** Returns the type of which a method of Go is one: `Command` of `(c *Command)`; else `''`. */
export function receiverOf(node: Node): string {
  const text = node.childForFieldName('receiver')?.text ?? '';
  return cleanName(text.slice(1).replace(')', '').trim().split(/[\s*]/).at(-1) ?? '');
}
