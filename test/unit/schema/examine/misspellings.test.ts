import { expect, test } from 'vitest';
import { explain } from '../../../../src/schema/examine/explain.ts';
import type { Examiner } from '../../../../src/schema/examine/findings.ts';
import { Misspellings } from '../../../../src/schema/examine/misspellings.ts';
import type { ReducedSchema } from '../../../../src/schema/reduce/reduced-schema.ts';

function misspellings() {
  let resolved = 0;
  const examiner = {
    resolve(schema: ReducedSchema) {
      resolved += 1;
      return schema;
    },
  };
  return { search: new Misspellings(examiner as Examiner), resolved: () => resolved };
}

test('the unknown member whose name is near is found; one that the schema knows is not', () => {
  const { search } = misspellings();
  const top = { properties: { path: true, paths: true } };
  expect(search.find('path', { value: { pth: 1, paths: 1 }, path: [], top })).toBe('pth');
  expect(search.find('path', { value: { paths: 1 }, path: [], top })).toBeUndefined();
});

test('a schema is searched once for the names that it knows, however many names are missing', () => {
  const { search, resolved } = misspellings();
  const top = { anyOf: Array.from({ length: 9 }, () => ({ required: ['a'] })) };
  for (let time = 0; time < 9; time++) search.find('a', { value: { b: 1 }, path: [], top });
  expect(resolved()).toBe(10);
});

test('after many comparisons no name is suggested any more in this check, and in the next one there is', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`.padEnd(60, 'k'), 1]));
  const long = 'r'.repeat(60);
  const alternatives = [{ required: [long] }, { required: [long, 'path'], properties: { path: true } }];
  const suggests = (schema: ReducedSchema, value: unknown) =>
    explain(schema, value, { definitions: new Map(), limit: 10 }).some(({ message }) => /did you mean/.test(message));
  expect(suggests({ allOf: alternatives }, { ...many, pth: 1 })).toBe(false);
  expect(suggests({ allOf: alternatives }, { pth: 1 })).toBe(true);
});
