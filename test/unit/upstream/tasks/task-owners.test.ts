import { expect, test } from 'vitest';
import { TaskOwners } from '../../../../src/upstream/tasks/task-owners.ts';

test('a task is for whoever has begun it; one of which nothing is known, for anybody', () => {
  const owners = new TaskOwners();
  owners.onBegun('t', 'token:a');
  owners.onBegun('u', undefined);
  const reach = (id: string) => ['token:a', 'token:b', '', undefined].map((who) => owners.mayReach(id, who));
  expect(reach('t')).toEqual([true, false, false, false]);
  expect(reach('u')).toEqual([false, false, true, true]);
  expect(reach('v')).toEqual([true, true, true, true]);
  owners.onBegun('t', 'token:b');
  expect(reach('t')).toEqual([false, true, false, false]);
});

test('of very many, the oldest is forgotten', () => {
  const owners = new TaskOwners();
  for (let task = 0; task < 10_000; task++) owners.onBegun(String(task), 'a');
  owners.onBegun('0', 'a');
  owners.onBegun('new', 'a');
  expect([owners.mayReach('0', 'b'), owners.mayReach('1', 'b'), owners.mayReach('2', 'b')]).toEqual([
    false,
    true,
    false,
  ]);
});

test('whoever begins very many tasks loses the oldest of those, and nobody else loses any', () => {
  const owners = new TaskOwners();
  owners.onBegun('alice-1', 'alice');
  for (let count = 0; count < 20_000; count++) owners.onBegun(`mallory-${count}`, 'mallory');
  expect(owners.mayReach('alice-1', 'mallory')).toBe(false);
  expect(owners.mayReach('alice-1', 'alice')).toBe(true);
  expect([owners.mayReach('mallory-0', 'alice'), owners.mayReach('mallory-19999', 'alice')]).toEqual([true, false]);
});
