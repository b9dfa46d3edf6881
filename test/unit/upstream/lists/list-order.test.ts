import { expect, test } from 'vitest';
import type { EntryKind } from '../../../../src/core/providers/provider.ts';
import { isAlone, isCulprit, nextInTurn } from '../../../../src/upstream/lists/list-order.ts';
import { type ListState, UNREAD } from '../../../../src/upstream/lists/list-state.ts';

/** Each is a phase, with a number of losses behind it. */
const lists = (of: Partial<Record<EntryKind, string>>) =>
  new Map(
    Object.entries(of).map(([kind, text]) => {
      const [phase, losses = '0'] = text.split(' ');
      return [kind as EntryKind, { ...UNREAD, phase: phase as ListState['phase'], losses: Number(losses) }];
    }),
  );

test.each([
  [
    'all at once where none has done harm',
    { tool: 'unread', prompt: 'unread', resource: 'unread' },
    ['tool', 'prompt', 'resource'],
  ],
  ['the harmless first', { tool: 'unread 1', prompt: 'unread', resource: 'unread 1' }, ['prompt']],
  ['no suspect while another list is read', { tool: 'unread 1', prompt: 'reading' }, []],
  ['one suspect after the other', { tool: 'unread 1', prompt: 'read', resource: 'unread 1' }, ['tool']],
  [
    'a suspect does not wait for what is silent or has failed',
    { tool: 'silent', prompt: 'unread 1', resource: 'failed' },
    ['prompt'],
  ],
  ['none where all are answered', { tool: 'read', prompt: 'absent', resource: 'failed' }, []],
] as const)('whose turn it is: %s', (_what, of, expected) => {
  expect(nextInTurn(lists(of))).toEqual(expected);
});

test.each([
  [{ tool: 'reading 2', prompt: 'read' }, true],
  [{ tool: 'reading 2', prompt: 'silent' }, true],
  [{ tool: 'reading 1', prompt: 'read' }, false],
  [{ tool: 'reading 2', prompt: 'reading' }, false],
  [{ tool: 'read', prompt: 'failed 3' }, false],
] as const)('%j: a connection that ends now was ended by a list again: %j', (of, expected) => {
  expect(isCulprit(lists(of))).toBe(expected);
});

test('a list is alone where no other is read', () => {
  expect(isAlone(lists({ tool: 'reading', prompt: 'silent', resource: 'read' }), 'tool')).toBe(true);
  expect(isAlone(lists({ tool: 'reading', prompt: 'reading' }), 'tool')).toBe(false);
});
