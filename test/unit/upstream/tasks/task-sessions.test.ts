import { expect, test } from 'vitest';
import { TaskSessions } from '../../../../src/upstream/tasks/task-sessions.ts';

test('clients are kept by the tasks in which they take an interest', () => {
  const known = new TaskSessions();
  known.add('t', 'A');
  known.add('t', 'B');
  known.add('t/u', 'B');
  expect([...known.sessionsOf('t')]).toEqual(['A', 'B']);
  expect([...known.sessionsOf('t/u')]).toEqual(['B']);
  expect([known.has('t', 'A'), known.has('t/u', 'A'), known.hasAny('A'), known.hasAny('C')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('a task in which nobody takes an interest any more is forgotten', () => {
  const known = new TaskSessions();
  known.add('t', 'A');
  known.add('u', 'A');
  known.add('u', 'B');
  expect([known.removeSession('A'), known.removeSession('A')]).toEqual([true, false]);
  expect(known.ids()).toEqual(['u']);
});

test('of very many, the oldest is forgotten', () => {
  const known = new TaskSessions();
  for (let task = 0; task <= 10_000; task++) known.add(String(task), 'A');
  expect(known.ids()).toHaveLength(10_000);
  expect(known.ids()[0]).toBe('1');
});

test('a task belongs to who has begun it, also when that one has gone', () => {
  const known = new TaskSessions();
  known.begin('t', 'A');
  known.add('t', 'B');
  expect(known.ownerOf('t')).toBe('A');
  known.removeSession('A');
  expect(known.ownerOf('t')).toBe('A');
  known.begin('t', 'C');
  expect(known.ownerOf('t')).toBe('C');
});

test('a task from before belongs to the only one that takes an interest in it', () => {
  const known = new TaskSessions();
  expect(known.ownerOf('t')).toBeUndefined();
  known.add('t', 'A');
  expect(known.ownerOf('t')).toBe('A');
  known.add('t', 'B');
  expect(known.ownerOf('t')).toBeUndefined();
});

test('the owners of 10,000 tasks are remembered; the one who began the oldest is forgotten first', () => {
  const known = new TaskSessions();
  for (let task = 0; task < 10_000; task++) known.begin(String(task), 'A');
  known.begin('0', 'A');
  known.begin('more', 'A');
  known.removeSession('A');
  expect([known.ownerOf('0'), known.ownerOf('1'), known.ownerOf('2')]).toEqual(['A', undefined, 'A']);
});
