import { expect, test } from 'vitest';
import { shownScopes } from '../../../../src/upstream/auth/shown-scopes.ts';

test('of the scopes that a server wants, a message shows no more than fits in it, and nothing invisible', () => {
  expect(shownScopes(undefined)).toBe('wider scopes');
  expect(shownScopes('read \u001b[31mwrite')).toBe('the scopes "read write"');
  expect(shownScopes('x'.repeat(16_000))).toBe(`the scopes "${'x'.repeat(299)}…"`);
});
