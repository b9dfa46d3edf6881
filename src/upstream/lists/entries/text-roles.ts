import type { EntryKind } from '../../../core/providers/provider.ts';

/**
 * The role of the strings in a part of an entry. `text` is for people and models; `schema` and `names` (names →
 * schemas) are parts of JSON Schemas; `literal` goes back to the upstream unchanged; `opaque` is not looked at.
 */
export type TextRole =
  | EntryKind
  | 'text'
  | 'schema'
  | 'names'
  | 'dependencies'
  | 'dependency'
  | 'arguments'
  | 'literal'
  | 'opaque';

const RESOURCE_ROLES = { name: 'text', title: 'text', description: 'text', uri: 'literal', uriTemplate: 'literal' };

/** Members of entries and of a prompt's arguments; all others are opaque. */
const MEMBER_ROLES: Readonly<Partial<Record<TextRole, Readonly<Record<string, string>>>>> = {
  tool: {
    name: 'literal',
    title: 'text',
    description: 'text',
    inputSchema: 'schema',
    outputSchema: 'schema',
    annotations: 'text',
  },
  prompt: { name: 'literal', title: 'text', description: 'text', arguments: 'arguments' },
  resource: RESOURCE_ROLES,
  template: RESOURCE_ROLES,
  arguments: { name: 'literal', title: 'text', description: 'text' },
};

/** Keywords whose values an upstream gets back, or that decide what it gets. */
const LITERAL_KEYWORDS = new Set([
  'enum',
  'const',
  'default',
  'example',
  'examples',
  'pattern',
  'format',
  'type',
  'required',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
  '$ref',
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$vocabulary',
]);

/** Keywords that hold schemas by name. */
const NAMES_KEYWORDS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

/** Returns the role of what is under `key` in an object of the role `role`. */
export function roleOfMember(role: TextRole, key: string): TextRole {
  switch (role) {
    case 'schema':
      if (LITERAL_KEYWORDS.has(key)) return 'literal';
      if (NAMES_KEYWORDS.has(key)) return 'names';
      return key === 'dependencies' ? 'dependencies' : 'schema';
    case 'names':
      return 'schema';
    case 'dependencies':
      return 'dependency';
    case 'text':
    case 'literal':
    case 'opaque':
    case 'dependency':
      return role;
    default: {
      const roles = MEMBER_ROLES[role]!;
      return Object.hasOwn(roles, key) ? (roles[key] as TextRole) : 'opaque';
    }
  }
}

/** Returns the role of a value that is an object or an array, where it depends on that. */
export function roleOfContainer(role: TextRole, isObject: boolean): TextRole {
  // Before 2019-09, "dependencies" held schemas and lists of property names side by side.
  if (role !== 'dependency') return role;
  return isObject ? 'schema' : 'literal';
}
