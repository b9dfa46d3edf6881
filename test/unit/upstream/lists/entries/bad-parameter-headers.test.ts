import { expect, test } from 'vitest';
import type { Descriptor, EntryKind } from '../../../../../src/core/providers/provider.ts';
import { badParameterHeaders } from '../../../../../src/upstream/lists/entries/bad-parameter-headers.ts';

const problemOf = (header: unknown, kind: EntryKind = 'tool') => {
  const properties = { a: { type: 'string', 'x-mcp-header': header } };
  return badParameterHeaders({
    kind,
    text: JSON.stringify({ name: 't', inputSchema: { type: 'object', properties } }),
  } as Partial<Descriptor> as Descriptor);
};

test('a tool whose parameter names no header cannot be offered, and nothing else is judged', () => {
  expect(problemOf('Region')).toBeUndefined();
  expect(problemOf('not a token')).toEqual(expect.any(String));
  expect(problemOf('not a token', 'prompt')).toBeUndefined();
});
