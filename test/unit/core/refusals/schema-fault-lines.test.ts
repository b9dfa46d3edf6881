import { expect, test } from 'vitest';
import { schemaFaultLines } from '../../../../src/core/refusals/schema-fault-lines.ts';

const fault = (tool: string, path = 'inputSchema') => ({ tool, path, fault: 'is null' });

test('one line a tool, with its first fault and how many more there are', () => {
  expect(schemaFaultLines([fault('a', 'p'), fault('a'), fault('b')], 5)).toEqual([
    'the schema of tool "a" is not valid: p is null (and 1 more place)',
    'the schema of tool "b" is not valid: inputSchema is null',
  ]);
});

test('of many tools the first are named, and the others counted', () => {
  expect(schemaFaultLines([fault('a'), fault('b'), fault('c')], 1)).toEqual([
    'the schema of tool "a" is not valid: inputSchema is null',
    '2 more tools have schemas that are not valid',
  ]);
});
