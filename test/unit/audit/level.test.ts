import { expect, test } from 'vitest';
import { levelOf } from '../../../src/audit/level.ts';
import type { Descriptor } from '../../../src/core/providers/provider.ts';
import { endedCall, toolWith } from './ended-call.ts';

test.each([
  ['says that it only reads', toolWith('{"readOnlyHint":true}'), 'info'],
  ['says that it changes something', toolWith('{"readOnlyHint":false}'), 'security'],
  ['says something else', toolWith('{"title":"readOnlyHint","readOnlyHint":"true"}'), 'security'],
  ['says it twice: the last counts', toolWith('{"readOnlyHint":true,"readOnlyHint":false}'), 'security'],
  ['has annotations of another type', toolWith('true'), 'security'],
  ['says nothing', toolWith(), 'security'],
  ['is not listed', undefined, 'security'],
] as const)('a tool of an upstream that %s', (_name, descriptor, level) => {
  expect(levelOf(endedCall({ descriptor }))).toBe(level);
  expect(levelOf(endedCall({ descriptor }))).toBe(level);
});

test('a tool of a workflow has the level that it declares, whatever its annotations say', () => {
  const declared = (audit: 'info' | 'security'): Descriptor => ({ ...toolWith('{"readOnlyHint":true}'), audit });
  expect(levelOf(endedCall({ descriptor: declared('security') }))).toBe('security');
  expect(levelOf(endedCall({ descriptor: declared('info') }))).toBe('info');
});

test.each([
  ['prompts/get', { name: 'p' }],
  ['resources/read', { uri: 'a://b' }],
])('%s reads', (method, params) => {
  expect(levelOf(endedCall({ method, params, descriptor: undefined }))).toBe('info');
});
