import { describe, expect, test } from 'vitest';
import { sanitiseSchema } from '../../../src/schema/sanitise.ts';

function reduced(schema: unknown): unknown {
  const sanitised = sanitiseSchema(schema);
  if (!sanitised.isUsable) throw new Error(sanitised.reason);
  return sanitised.schema;
}

describe('sanitiseSchema', () => {
  test('leaves annotations and everything unknown out', () => {
    const annotations = {
      $id: 'https://a.example/s',
      $schema: 'x',
      $comment: 'c',
      $vocabulary: {},
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      deprecated: true,
      readOnly: true,
      format: 'email',
      'x-own': 1,
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      discriminator: { propertyName: '"' },
      errorMessage: { type: 'm' },
    };
    expect(reduced({ ...annotations, type: 'string' })).toEqual({ type: ['string'] });
  });

  test.each<[string, unknown, unknown]>([
    ['a schema of anything', {}, true],
    ['integers', { type: 'integer' }, { type: ['number'], multipleOf: 1 }],
    ['integers in steps', { type: 'integer', multipleOf: 5 }, { type: ['number'], multipleOf: 5 }],
    ['a constant', { const: 1 }, { enum: [1] }],
    ['a type that its values make superfluous', { type: 'string', enum: ['a'] }, { enum: ['a'] }],
    [
      'a type or null',
      { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      { type: ['string', 'null'], minLength: 1 },
    ],
    ['alternatives of types', { anyOf: [{ type: 'string' }, { type: 'array' }] }, { type: ['string', 'array'] }],
    [
      'values or null',
      { oneOf: [{ enum: ['a'] }, { type: 'string' }] },
      { oneOf: [{ enum: ['a'] }, { type: ['string'] }] },
    ],
    ['one alternative', { allOf: [{ $ref: '#/$defs/s' }], $defs: { s: { type: 'string' } } }, { type: ['string'] }],
    ['an alternative of anything', { anyOf: [{}, { type: 'string' }] }, true],
    ['alternatives that cannot be', { anyOf: [false, { not: {} }] }, false],
    [
      'an old tuple',
      { items: [{ type: 'null' }], additionalItems: { type: 'string' } },
      { prefixItems: [{ type: ['null'] }], items: { type: ['string'] } },
    ],
    ['unknown keys', { additionalProperties: false, properties: { a: true } }, { properties: { a: true } }],
    [
      'one of what is not exact',
      { oneOf: [{ pattern: '\\-' }, { maxLength: 1 }] },
      { anyOf: [{ pattern: '\\-' }, { maxLength: 1 }] },
    ],
  ])('%s', (_title, schema, expected) => {
    expect(reduced(schema)).toEqual(expected);
  });

  test('what is referred to is shared, not copied', () => {
    const schema = reduced({
      properties: { a: { $ref: '#/$defs/s' }, b: { $ref: '#/$defs/s' } },
      $defs: { s: { type: 'object', required: ['x'] } },
    }) as { properties: Record<string, unknown> };
    expect(schema.properties.a).toEqual({ type: ['object'], required: ['x'] });
    expect(schema.properties.a).toBe(schema.properties.b);
  });

  test('only recursion stays a reference', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const sanitised = sanitiseSchema({ properties: { first: { $ref: '#/$defs/node' } }, $defs: { node } });
    if (!sanitised.isUsable) throw new Error(sanitised.reason);
    const [ref] = sanitised.definitions.keys();
    expect(sanitised.schema).toEqual({ properties: { first: { $ref: ref } } });
    expect([...sanitised.definitions.values()]).toEqual([{ type: ['object'], properties: { next: { $ref: ref } } }]);
  });

  test('the input stays as it is, even frozen', () => {
    const schema = {
      type: ['object', 'null'],
      properties: { a: { type: 'string', enum: ['a', 1], format: 'x' }, b: { $ref: '#/properties/a', nullable: true } },
      oneOf: [{ required: ['a'], additionalProperties: false }, { not: { $ref: '#' } }],
    };
    const before = structuredClone(schema);
    expect(sanitiseSchema(deepFrozen(schema)).isUsable).toBe(true);
    expect(schema).toEqual(before);
  });

  test('a schema that contains itself is too deep, not endless', () => {
    const schema: Record<string, unknown> = {};
    schema.properties = { self: schema };
    expect(sanitiseSchema(schema).isUsable).toBe(false);
  });

  test.each([
    ['64 levels', levels(64), true],
    ['65 levels', levels(65), false],
    ['20,000 values', { enum: Array.from({ length: 19_998 }, () => 0) }, true],
    ['20,001 values', { enum: Array.from({ length: 19_999 }, () => 0) }, false],
    ['256 KB', { description: 'x'.repeat(256 * 1024 - 100) }, true],
    ['more than 256 KB', { description: 'x'.repeat(256 * 1024) }, false],
    ['a large part, a few times', { ...largePart(), properties: references(10) }, true],
    ['a large part, often', { ...largePart(), properties: references(2000) }, false],
  ])('%s: convertible is %s', (_title, schema, expected) => {
    expect(sanitiseSchema(schema).isUsable).toBe(expected);
  });
});

function levels(count: number): unknown {
  return count === 1 ? {} : { items: levels(count - 1) };
}

function largePart(): object {
  return { $defs: { large: { enum: ['x'.repeat(100_000)] } } };
}

function references(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: '#/$defs/large' }]));
}

function deepFrozen(value: object): object {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFrozen(member);
  return Object.freeze(value);
}
