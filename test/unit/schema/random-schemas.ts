import fc from 'fast-check';

/** Few names and values, so that schemas and instances meet; the odd ones are those that validators trip over. */
const NAMES = ['a', 'b', 'c', '__proto__', 'constructor', 'a b'];
const PATTERNS = ['^a', 'b$', '^.$', '^\\p{L}+$', '^[a-z]{2}$', '(', '\\Z', '^(?:a|b)*$', '[[:alpha:]]'];
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const DRAFTS = ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'];
const REFS = ['#/$defs/x', '#/$defs/y', '#', '#/properties/a', '#/$defs/x/properties/b', '#/$defs/none'];

const name = fc.constantFrom(...NAMES);
/** ajv ignores what is said about members named `__proto__`. */
const plainName = fc.constantFrom('a', 'b', 'constructor', 'a b');
const count = fc.constantFrom<unknown>(0, 1, 2, 3, 1.5, '1', -1);
const bound = fc.constantFrom<unknown>(0, 1, 2.5, -1, 2 ** 53, 1e300, '3', true);
const TEXTS = ['', 'a', 'ab', 'b', '1', '😀', 'é', '__proto__'];
const NUMBERS = [0, 1, 1.5, -1, 0.3, 2 ** 53, 2 ** 60, 1e21, Number.POSITIVE_INFINITY];
const primitive = fc.constantFrom<unknown>(...TEXTS, ...NUMBERS, true, false, null);

/** Values as `JSON.parse` may give them; members named `__proto__` are their own. */
export const instances: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    primitive,
    fc.array(tie('value'), { maxLength: 3 }),
    membersOf(tie('value')),
  ),
})).value;

/** Schemas with every keyword there is, in all drafts, well-formed or not, for objects mostly. */
export const schemas: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.letrec<{
  schema: unknown;
  node: Readonly<Record<string, unknown>>;
  root: Readonly<Record<string, unknown>>;
}>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(true, false, {}, { type: 'string' }, { type: 'number' }, { not: {} }),
    tie('node'),
  ),
  node: nodeOf(tie('schema')),
  root: fc
    .record(
      { $schema: fc.constantFrom(...DRAFTS), type: fc.constant('object'), $defs: definitionsOf(tie('schema')) },
      { requiredKeys: ['$defs'] },
    )
    .chain((head) => tie('node').map((node) => ({ ...node, ...head }))),
})).root;

function nodeOf(schema: fc.Arbitrary<unknown>): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const list = fc.array(schema, { maxLength: 3 });
  const names = fc.array(name, { maxLength: 2 });
  const entries = [
    ...entriesOf(['type'], fc.oneof(fc.constantFrom(...TYPES), fc.subarray(TYPES), fc.constant('text'))),
    ...entriesOf(['enum'], fc.array(instances, { maxLength: 3 })),
    ...entriesOf(['const'], instances),
    ...entriesOf(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
    ...entriesOf(['minContains', 'maxContains'], count),
    ...entriesOf(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], bound),
    ...entriesOf(['multipleOf'], fc.constantFrom<unknown>(1, 2, 0.1, 0, 0.5)),
    ...entriesOf(['pattern'], fc.constantFrom(...PATTERNS)),
    ...entriesOf(['uniqueItems', 'nullable'], fc.boolean()),
    ...entriesOf(['items'], fc.oneof(schema, list)),
    ...entriesOf(['additionalItems', 'contains', 'additionalProperties', 'propertyNames'], schema),
    ...entriesOf(['unevaluatedProperties', 'unevaluatedItems', 'not', 'if', 'then', 'else'], schema),
    ...entriesOf(['prefixItems', 'allOf', 'anyOf', 'oneOf'], list),
    ...entriesOf(['properties', 'properties'], membersOf(schema, plainName)),
    ...entriesOf(['dependentSchemas'], membersOf(schema, plainName)),
    ...entriesOf(['patternProperties'], fc.dictionary(fc.constantFrom(...PATTERNS), schema, { maxKeys: 2 })),
    ...entriesOf(['required'], fc.oneof(names, fc.constant('a'))),
    ...entriesOf(['dependentRequired'], membersOf(names, plainName)),
    ...entriesOf(['dependencies'], membersOf(fc.oneof(names, schema), plainName)),
    ...entriesOf(['$ref'], fc.constantFrom(...REFS)),
    ...entriesOf(['format', 'title', 'default', 'readOnly'], fc.constantFrom('email', 'date', 'x')),
  ];
  return fc.array(fc.oneof(...entries), { minLength: 1, maxLength: 4 }).map((chosen) => Object.fromEntries(chosen));
}

function entriesOf(
  keywords: readonly string[],
  value: fc.Arbitrary<unknown>,
): readonly fc.Arbitrary<readonly [string, unknown]>[] {
  return keywords.map((keyword) => value.map((given) => [keyword, given] as const));
}

function membersOf(
  value: fc.Arbitrary<unknown>,
  key: fc.Arbitrary<string> = name,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

function definitionsOf(schema: fc.Arbitrary<unknown>): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.record({ x: schema, y: schema });
}
