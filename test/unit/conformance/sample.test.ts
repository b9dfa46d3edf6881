import { expect, test } from 'vitest';
import { sampleOf } from '../../../scripts/conformance/client/sample.ts';

test('required properties get values of their types', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a'] };
  expect(sampleOf(schema)).toEqual({ a: 2 });
  expect(sampleOf(schema, { isComplete: true })).toEqual({ a: 2, b: 'text' });
});

test('defaults and the first choice go before samples', () => {
  const properties = {
    age: { type: 'integer', default: 30 },
    status: { type: 'string', enum: ['active', 'inactive'] },
  };
  expect(sampleOf({ type: 'object', properties }, { isComplete: true })).toEqual({ age: 30, status: 'active' });
});
