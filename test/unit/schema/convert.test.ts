import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ConversionTimeout, convertToZod } from '../../../src/schema/convert.ts';
import { sanitiseSchema } from '../../../src/schema/sanitise.ts';

const PLENTY_MS = 20_000;

function convertible(schema: unknown) {
  const sanitised = sanitiseSchema(schema);
  if (!sanitised.isConvertible) throw new Error(sanitised.reason);
  return sanitised;
}

const tree = convertible({
  $ref: '#/$defs/tree',
  $defs: { tree: { type: 'object', properties: { v: { type: 'string' }, next: { $ref: '#/$defs/tree' } } } },
});

describe('convertToZod', () => {
  test('leaves the converter as good as new when it runs out of time', () => {
    expect(() => convertToZod(tree, -1)).toThrow(ConversionTimeout);
    const schema = convertToZod(tree, PLENTY_MS);
    expect(schema.safeParse({ next: { next: { v: 'a' } } }).success).toBe(true);
    expect(schema.safeParse({ next: { next: { v: 1 } } }).success).toBe(false);
  });

  test.each([true, false])('leaves the switch for compiled parsers as it was: %s', (jitless) => {
    z.config({ jitless });
    convertToZod(tree, PLENTY_MS);
    expect(z.config().jitless).toBe(jitless);
    expect(() => convertToZod(tree, -1)).toThrow(ConversionTimeout);
    expect(z.config().jitless).toBe(jitless);
  });

  test.each([
    ['objects or null', { type: ['object', 'null'] }],
    ['objects or anything', {}],
  ])('does not check nested %s twice at each level', (_title, head) => {
    const levels = 25;
    let schema: object = { type: 'string' };
    let value: unknown = 'text';
    for (let level = 0; level < levels; level++) {
      schema = { ...head, properties: { a: schema } };
      value = { a: value };
    }
    let reads = 0;
    const counted = JSON.parse(JSON.stringify(value), (key, member: unknown) =>
      key === 'a' ? counting(member) : member,
    );
    expect(convertToZod(convertible(schema), PLENTY_MS).safeParse(counted).success).toBe(true);
    expect(reads).toBeLessThan(levels * 100);

    function counting(member: unknown): unknown {
      if (typeof member !== 'object' || member === null) return member;
      return new Proxy(member, {
        get(target, key) {
          reads += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
    }
  });
});
