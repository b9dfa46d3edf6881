import { expect, test } from 'vitest';
import type { EntryKind } from '../../../../src/core/providers/provider.ts';
import { type ListState, UNREAD } from '../../../../src/upstream/lists/list-state.ts';
import { remarkOnAbsence, summarize } from '../../../../src/upstream/lists/list-summary.ts';

const read: ListState = { ...UNREAD, phase: 'read', isKnown: true };
const absent: ListState = { ...read, phase: 'absent' };
const reading: ListState = { ...UNREAD, phase: 'reading' };
const failed: ListState = { ...UNREAD, phase: 'failed', problem: 'it failed', dueAt: 70 };
const silent: ListState = { ...UNREAD, phase: 'silent', problem: 'it is silent', dueAt: 50 };

const of = (lists: Partial<Record<EntryKind, ListState>>) =>
  summarize(new Map(Object.entries(lists) as [EntryKind, ListState][]));

test.each([
  ['no lists at all', {}, true, true],
  ['all are read', { tool: read, prompt: read }, true, true],
  ['one is being read', { tool: read, prompt: reading }, false, true],
  ['the tools are not there', { tool: failed, prompt: read }, true, false],
  ['the tools are not there yet', { tool: reading, prompt: read }, false, false],
  ['another list is not there', { tool: read, prompt: failed, resource: silent }, true, true],
  ['the tools could not be read again', { tool: { ...failed, isKnown: true } }, true, true],
  ['no tools, and one of the others is there', { prompt: read, resource: failed }, true, true],
  ['no tools, and nothing else either', { tool: absent, prompt: failed }, true, false],
  ['none exists', { tool: absent, prompt: absent }, true, true],
])('%s', (_what, lists, isSettled, isThere) => {
  expect(of(lists)).toMatchObject({ isSettled, isThere });
});

test('says what is wrong, and when the first of it is tried again', () => {
  expect(of({ tool: read, prompt: failed, resource: silent })).toMatchObject({
    problems: ['it failed', 'it is silent'],
    isSilent: true,
    dueAt: 50,
  });
  expect(of({ tool: { ...read, dueAt: 5 } })).toMatchObject({ problems: [], isSilent: false, dueAt: undefined });
});

test('tools that are declared and not there are worth a remark', () => {
  expect(remarkOnAbsence(new Map([['tool', absent]]))).toHaveLength(1);
  expect(remarkOnAbsence(new Map([['template', absent]]))).toEqual([]);
});
