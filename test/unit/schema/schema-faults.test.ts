import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemaFaults } from '../../../src/schema/faults/schema-faults.ts';
import { schemas } from './random-schemas.ts';

const faultsOf = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  schemaFaults({ type: 'object', properties, ...rest }, 'inputSchema', true).map(
    ({ path, fault }) => `${path} ${fault}`,
  );

test.each<[string, Record<string, unknown>, string]>([
  ['a type that is none', { a: { type: 'any' } }, 'inputSchema.properties.a.type has "any", which is not a type'],
  ['a type that is null', { a: { type: null } }, 'inputSchema.properties.a.type has null, which is not a type'],
  ['a list of types with a wrong one', { a: { type: ['string', 'int'] } }, 'a.type has "int", which is not a type'],
  ['an enum that is a text', { a: { enum: 'x,y' } }, 'a.enum is "x,y", and must be a list of values'],
  [
    'required beside a type',
    { a: { required: true } },
    'a.required is true, and must be a list of names, beside "properties"',
  ],
  ['a boolean bound', { a: { exclusiveMinimum: true } }, 'a.exclusiveMinimum is true, and must be a number'],
  ['a count below 0', { a: { minLength: -1 } }, 'a.minLength is -1, and must be a whole number from 0 on'],
  [
    'a reference to nothing',
    { a: { $ref: '#/$defs/Gone' } },
    'a.$ref is "#/$defs/Gone", and there is nothing at that place',
  ],
  [
    'a pattern of another language',
    { a: { pattern: '(?i)[' } },
    'a.pattern is "(?i)[", which is not a regular expression',
  ],
  ['a schema that is null', { a: null }, 'inputSchema.properties.a is null, and must be a schema'],
  ['a schema that is a text', { a: 'string' }, 'inputSchema.properties.a is "string", and must be a schema'],
  [
    'an empty list of alternatives',
    { a: { anyOf: [] } },
    'a.anyOf is an empty list, and must be a list of at least one schema',
  ],
  [
    'deep inside',
    { a: { items: { oneOf: [true, { properties: [] }] } } },
    'a.items.oneOf[1].properties is an empty list, and must be',
  ],
  ['under an odd name', { 'a.b[0]': { type: 'any' } }, 'inputSchema.properties["a.b[0]"].type has "any"'],
])('%s', (_what, properties, words) => {
  const faults = faultsOf(properties);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(words);
});

describe('the schema as a whole', () => {
  const whole = (schema: unknown, mustBeObject = true) =>
    schemaFaults(schema, 'outputSchema', mustBeObject).map(({ path, fault }) => `${path} ${fault}`);

  test('is missing, is no object, or is not said to be of objects', () => {
    expect(whole(undefined)).toEqual(['outputSchema is missing']);
    expect(whole([])).toEqual(['outputSchema is an empty list, and must be an object']);
    expect(whole({ anyOf: [{ type: 'object' }] })).toEqual([
      'outputSchema has no "type", and must have "type": "object"',
    ]);
    expect(whole({ anyOf: [{ type: 'string' }] }, false)).toEqual([]);
  });
});

test('what is valid in the draft that the schema names has no fault', () => {
  const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' };
  expect(faultsOf({ a: { minimum: 0, exclusiveMinimum: true } }, draft4)).toEqual([]);
  expect(faultsOf({ a: { items: [{ type: 'string' }], dependencies: { b: ['c'] } } })).toEqual([]);
  expect(faultsOf({ a: { $ref: '#/$defs/x' }, b: { $ref: 'https://example.com/x' } }, { $defs: { x: true } })).toEqual(
    [],
  );
  expect(faultsOf({ 'filter[name]': { type: 'string' }, $top: { type: 'integer', 'x-odd': null } })).toEqual([]);
});

test('a few faults of a schema are told, however many it has', () => {
  const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, null]));
  expect(faultsOf(properties)).toHaveLength(5);
});

test('a schema that is deeper or longer than any real one is not walked to its end', () => {
  let deep: Record<string, unknown> = { type: 'any' };
  for (let level = 0; level < 10_000; level++) deep = { not: deep };
  expect(faultsOf({ a: deep })).toEqual([]);
});

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

/** What the metaschema of draft-07 cannot say: where references lead, and whether patterns compile. */
const isBeyondMetaschema = ({ path, fault }: { path: string; fault: string }): boolean =>
  /there is nothing at that place|not a regular expression/.test(fault) || path.includes('$defs');

test('finds a fault exactly where the metaschema of draft-07 does', () => {
  fc.assert(
    fc.property(schemas, ({ $defs: _defs, ...node }) => {
      const schema = { ...node, $schema: DRAFT_7, type: 'object' };
      // Ajv does not see that a list has this name twice.
      fc.pre(!/"__proto__".*"__proto__"/.test(JSON.stringify(schema)));
      const all = schemaFaults(schema, 's', true);
      fc.pre(all.length < 5);
      const found = all.filter((fault) => !isBeyondMetaschema(fault));
      expect(found.length === 0, JSON.stringify([found, schema])).toBe(ajv.validateSchema(schema) === true);
    }),
    { numRuns: 2_000 },
  );
});
