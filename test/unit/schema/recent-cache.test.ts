import { expect, test } from 'vitest';
import { RecentCache } from '../../../src/schema/recent-cache.ts';

test('the entry that was not used for longest goes first', () => {
  const cache = new RecentCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(cache.get('b')).toBeUndefined();
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([1, 3, 2]);
});

test('setting a key again replaces its value', () => {
  const cache = new RecentCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([3, undefined, 2]);
});
