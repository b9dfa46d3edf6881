export type TypeName = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/**
 * JSON Schema in the one form that is left after `sanitiseSchema`: every keyword is well-formed, no keyword is an
 * annotation, and each says the same to the explainer and to the code generator.
 * "integer" has become `multipleOf: 1`, `const` an `enum` of one, `if` two `anyOf`, tuples `prefixItems`; unknown
 * keys are allowed.
 * One object may be in several places: schemas that were referred to are shared, not copied.
 */
export type ReducedSchema = boolean | ReducedNode;

export interface ReducedNode {
  /** Only for recursion: a key of `SanitisedSchema.definitions`. It stands alone. */
  readonly $ref?: string;
  readonly type?: readonly TypeName[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly prefixItems?: readonly ReducedSchema[];
  readonly items?: ReducedSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly contains?: ReducedSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly properties?: Readonly<Record<string, ReducedSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, ReducedSchema>>;
  readonly additionalProperties?: ReducedSchema;
  readonly propertyNames?: ReducedSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, ReducedSchema>>;
  readonly allOf?: readonly ReducedSchema[];
  readonly anyOf?: readonly ReducedSchema[];
  readonly oneOf?: readonly ReducedSchema[];
  readonly not?: ReducedSchema;
}

export type Keyword = keyof ReducedNode;

/** A reduced schema, and whether it accepts exactly what its original does. If not, it accepts more. */
export interface Reduction {
  readonly schema: ReducedSchema;
  readonly isExact: boolean;
}

/** The reduction of any part that we cannot read. */
export const ANYTHING: Reduction = { schema: true, isExact: false };

const SINGLE = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not'] as const;
const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const;

/** Returns the schemas directly inside `node`. */
export function subschemasOf(node: ReducedNode): readonly ReducedSchema[] {
  return [
    ...SINGLE.flatMap((keyword) => node[keyword] ?? []),
    ...LISTS.flatMap((keyword) => node[keyword] ?? []),
    ...MAPS.flatMap((keyword) => Object.values(node[keyword] ?? {})),
  ];
}

/** Returns the keywords of `node`, with every schema directly inside it replaced. */
export function mapSubschemas<T>(node: ReducedNode, map: (schema: ReducedSchema) => T): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...node };
  for (const keyword of SINGLE) if (node[keyword] !== undefined) mapped[keyword] = map(node[keyword]);
  for (const keyword of LISTS) if (node[keyword] !== undefined) mapped[keyword] = node[keyword].map(map);
  for (const keyword of MAPS) {
    const entries = node[keyword];
    if (entries === undefined) continue;
    mapped[keyword] = Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, map(schema)]));
  }
  return mapped;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a number is exactly what its text said: beyond 2^53, different texts become the same number. */
export function isPrecise(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
