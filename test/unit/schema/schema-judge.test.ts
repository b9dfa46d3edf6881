import { describe, expect, test } from 'vitest';
import { sanitiseSchema } from '../../../src/schema/sanitise.ts';
import { SchemaJudge } from '../../../src/schema/schema-judge.ts';
import { TimeLimit } from '../../../src/schema/time-limit.ts';

function judgeOf(schema: unknown) {
  const sanitised = sanitiseSchema(schema);
  if (!sanitised.isUsable) throw new Error(sanitised.reason);
  return new SchemaJudge(sanitised, new TimeLimit(20_000));
}

/** Returns a copy that counts how often members `a` are read in it. */
function counting(value: unknown): { readonly value: unknown; readonly reads: () => number } {
  let reads = 0;
  const counted = JSON.parse(JSON.stringify(value), (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null) return member;
    return new Proxy(member, {
      get(target, key) {
        if (key === 'a') reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
  });
  return { value: counted, reads: () => reads };
}

const LEVELS = 15;

function nested(head: (inner: object) => object, innermost: unknown) {
  let schema: object = { type: 'string' };
  let value: unknown = innermost;
  for (let level = 0; level < LEVELS; level++) {
    schema = head(schema);
    value = { a: value };
  }
  return { schema, value };
}

describe('nested parts are checked once at each level', () => {
  const object = (inner: object) => ({ type: 'object', properties: { a: inner } });
  test.each<[string, (inner: object) => object]>([
    ['objects or null', (inner) => ({ type: ['object', 'null'], properties: { a: inner } })],
    ['objects or anything', (inner) => ({ properties: { a: inner } })],
    ['one of several', (inner) => ({ oneOf: [object(inner), { type: 'null' }] })],
    ['any of several', (inner) => ({ anyOf: [object(inner), { type: 'null' }] })],
  ])('%s', (_title, head) => {
    for (const [innermost, isFit] of [
      ['text', true],
      [1, false],
    ] as const) {
      const { schema, value } = nested(head, innermost);
      const { value: counted, reads } = counting(value);
      expect(judgeOf(schema).judge(counted)?.length === 0).toBe(isFit);
      // The check reads a member, the description of what was received perhaps as well.
      expect(reads()).toBeLessThan(LEVELS * 20);
    }
  });
});

test('exactly one of several alternatives must fit', () => {
  const judge = judgeOf({ oneOf: [{ type: 'string' }, { type: 'string', maxLength: 2 }, { type: 'number' }] });
  expect(judge.judge('long')).toEqual([]);
  expect(judge.judge(1)).toEqual([]);
  expect(judge.judge('ab')).toMatchObject([{ message: expect.stringContaining('but fits 2') }]);
  expect(judge.judge(true)).toHaveLength(1);
});

test('a reference that leads back to itself asks for nothing more; other references in it do', () => {
  const judge = judgeOf({
    $ref: '#/$defs/a',
    $defs: {
      a: { allOf: [{ $ref: '#/$defs/a' }, { properties: { next: { $ref: '#/$defs/a' }, x: { type: 'number' } } }] },
    },
  });
  expect(judge.judge({ next: { x: 1 } })).toEqual([]);
  expect(judge.judge({ next: { next: { x: 'text' } } })).toMatchObject([{ path: ['next', 'next', 'x'] }]);
});
