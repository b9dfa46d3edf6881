import { expect, test } from 'vitest';
import { OpenApps } from '../../../src/router/open-apps.ts';

test('a client that has read apps may show those, and one of which nothing is known any', () => {
  const apps = new OpenApps();
  apps.onRead('A', 'a');
  apps.onRead('A', 'b');
  expect(['a', 'b', 'c'].map((upstream) => apps.mayBeOf('A', upstream))).toEqual([true, true, false]);
  expect(apps.mayBeOf('B', 'c')).toBe(true);
});

test('clients are forgotten when there are too many, those first that have read no app for longest', () => {
  const apps = new OpenApps();
  for (let index = 0; index < 1_000; index++) apps.onRead(`${index}`, 'a');
  apps.onRead('0', 'a');
  apps.onRead('new', 'a');
  expect(['0', '1', 'new'].map((client) => apps.mayBeOf(client, 'b'))).toEqual([false, true, false]);
});
