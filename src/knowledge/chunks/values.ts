import type { Node } from 'web-tree-sitter';
import { cleanName, nameOf } from './names.ts';

/** What a statement gives names to. */
export interface NamedValue {
  /** As written, with their paths. */
  readonly names: readonly string[];
  /** The last of the values. */
  readonly value: Node | undefined;
}

const DECLARATOR = /^(?:variable_declarator|const_spec|var_spec|init_declarator|function_declarator|const_element)$/;
const ASSIGNMENT = /^assignment(?:_expression)?$/;

/** Returns the names that a statement gives to values; `undefined` when it is another statement. */
export function namedValue(node: Node): NamedValue | undefined {
  if (ASSIGNMENT.test(node.type)) return assigned(node);
  if (node.type === 'expression_statement') {
    const inner = node.namedChildren[0];
    return inner !== undefined && ASSIGNMENT.test(inner.type) ? assigned(inner) : undefined;
  }
  if (node.type === 'pair' || node.type.endsWith('field_definition')) return keyed(node);
  return declared(node);
}

/** `a = b = value` names both. */
function assigned(node: Node): NamedValue {
  const names: string[] = [];
  let value: Node | undefined = node;
  while (value !== undefined && ASSIGNMENT.test(value.type)) {
    names.push(cleanName(value.childForFieldName('left')?.text ?? ''));
    value = value.childForFieldName('right') ?? undefined;
  }
  return { names, value };
}

function keyed(node: Node): NamedValue {
  const key = node.childForFieldName('key') ?? node.childForFieldName('property') ?? node.childForFieldName('name');
  return { names: [cleanName(key?.text ?? '')], value: node.childForFieldName('value') ?? undefined };
}

function declared(node: Node): NamedValue {
  const inner = node.namedChildren.flatMap((child) =>
    child.type.endsWith('_list') || child.type === 'variable_declaration' ? child.namedChildren : [child],
  );
  const declarators = inner.filter(({ type }) => DECLARATOR.test(type));
  const named = declarators.length > 0 ? declarators : [node];
  return { names: named.map(nameOf), value: named.at(-1)!.childForFieldName('value') ?? undefined };
}

const FUNCTION = /^(?:arrow_function|function_expression|function|generator_function|func_literal|lambda)$/;

/** The kind of chunk that a value makes. */
export function kindOfValue(value: Node | undefined): 'function' | 'class' | 'block' {
  if (value === undefined) return 'block';
  if (FUNCTION.test(value.type)) return 'function';
  return value.type === 'class' ? 'class' : 'block';
}
