import { describe, expect, test } from 'vitest';
import { quicknessOf } from '../../../../src/schema/examine/quickness.ts';
import { sanitiseSchema } from '../../../../src/schema/sanitise.ts';

function quickness(schema: unknown) {
  const sanitised = sanitiseSchema(schema);
  if (!sanitised.isUsable) throw new Error(sanitised.reason);
  return quicknessOf(sanitised.schema);
}

const objectOf = (x: unknown) => ({ type: 'object', properties: { x } });

describe('quicknessOf', () => {
  test.each<[string, unknown]>([
    ['members of plain types', objectOf({ type: 'string', minLength: 1 })],
    ['lists of objects', objectOf({ type: 'array', items: objectOf({ type: 'integer', minimum: 1 }) })],
    ['alternatives', objectOf({ anyOf: [objectOf(true), { type: 'array', items: { enum: ['a', 'b'] } }] })],
    ['a tame pattern', objectOf({ pattern: '^[a-z]+$' })],
    ['members beside values', objectOf({ enum: ['a'], properties: { a: { type: 'string' } } })],
    ['a member with an inherited name', objectOf({ type: 'object', properties: { constructor: true } })],
  ])('%s: quick', (_title, schema) => {
    expect(quickness(schema).maxParts).toBeGreaterThan(1000);
  });

  test.each<[string, unknown]>([
    ['a pattern that may hang', objectOf({ pattern: '^(a+)+$' })],
    ['recursion', { properties: { a: { $ref: '#' } } }],
    ['unique items', objectOf({ uniqueItems: true })],
    ['contains', objectOf({ contains: { const: 1 } })],
    ['names by pattern', objectOf({ patternProperties: { a: true } })],
    ['not', objectOf({ not: { type: 'string' } })],
    [
      'merged alternatives',
      objectOf({ type: 'object', required: ['a'], anyOf: [objectOf(true), { required: ['b'] }] }),
    ],
    ['values that are objects', objectOf({ enum: [{ a: 1 }] })],
  ])('%s: never quick', (_title, schema) => {
    expect(quickness(schema)).toEqual({ maxParts: 0, maxCharacters: 0 });
  });

  test('a larger schema leaves room for fewer arguments', () => {
    const large = {
      properties: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'null' }])),
    };
    expect(quickness(large).maxParts).toBeLessThan(200);
  });

  test.each<[string, unknown]>([
    ['values', objectOf({ enum: Array.from({ length: 500 }, (_, index) => index) })],
    ['required names', { type: 'object', required: Array.from({ length: 500 }, (_, index) => `p${index}`) }],
  ])('many %s leave room for fewer arguments, since they are tried one by one', (_title, schema) => {
    const { maxParts } = quickness(schema);
    expect(maxParts).toBeGreaterThan(50);
    expect(maxParts).toBeLessThan(110);
  });

  test('a larger schema leaves room for fewer characters, since each node may count those of the same text', () => {
    const alternatives = Array.from({ length: 1000 }, (_, index) => ({ minLength: index, maxLength: 5000 }));
    const { maxCharacters } = quickness(objectOf({ anyOf: alternatives }));
    expect(maxCharacters).toBeGreaterThan(1000);
    expect(maxCharacters).toBeLessThan(2500);
    expect(quickness(objectOf({ minLength: 1 })).maxCharacters).toBe(100_000);
  });

  test('many tame patterns leave room for fewer characters than one', () => {
    const patterns = (length: number) =>
      objectOf({ anyOf: Array.from({ length }, (_, index) => ({ pattern: `^a*a*b{${index}}$` })) });
    expect(quickness(patterns(2)).maxCharacters).toBe(1000);
    expect(quickness(patterns(500)).maxCharacters).toBeLessThan(150);
  });
});
