import type { Node } from 'web-tree-sitter';
import { cleanName, nameOf } from './names.ts';

/** Values that a statement names. */
export interface NamedValue {
  /** As written, with their paths. */
  readonly names: readonly string[];
  /** The last of the values. */
  readonly value: Node | undefined;
}

const DECLARATOR =
  /^(?:variable_declarator|const_spec|var_spec|init_declarator|function_declarator|const_element|property_element|variable_declaration)$/;
const LIST = /_list$|^variable_declaration$/;
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
  const declarators = node.namedChildren.flatMap(declaratorsIn);
  const named = declarators.length > 0 ? declarators : [node];
  return { names: named.map(nameOf), value: named.at(-1)!.childForFieldName('value') ?? undefined };
}

/** Some languages have a list of them, one of these a list that is called like a single one of another. */
function declaratorsIn(node: Node): Node[] {
  const inner = LIST.test(node.type) ? node.namedChildren.filter(({ type }) => DECLARATOR.test(type)) : [];
  if (inner.length > 0) return inner;
  return DECLARATOR.test(node.type) ? [node] : [];
}

const FUNCTION = /^(?:arrow_function|function_expression|function|generator_function|func_literal|lambda)$/;

/** Returns the kind of chunk that a value makes. */
export function kindOfValue(value: Node | undefined): 'function' | 'class' | 'block' {
  if (value === undefined) return 'block';
  if (FUNCTION.test(value.type)) return 'function';
  return value.type === 'class' ? 'class' : 'block';
}
