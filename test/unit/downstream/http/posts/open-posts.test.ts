import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpenPosts } from '../../../../../src/downstream/http/posts/open-posts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const exchange = (startedAt: number, alive: number[] = []) =>
  ({ startedAt, keepAlive: () => alive.push(startedAt) }) as never;

/** Whether a promise has resolved by now. */
async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(0);
  return isDone;
}

test('a drain waits for the last answer', async () => {
  const all = new OpenPosts();
  expect(await isResolved(all.whenIdle(1_000))).toBe(true);
  const [one, other] = [exchange(1), exchange(2)];
  all.onBegun(one);
  all.onBegun(other);
  const idle = all.whenIdle(1_000);
  all.onSettled(one);
  expect(await isResolved(idle)).toBe(false);
  all.onSettled(other);
  expect(await isResolved(idle)).toBe(true);
});

test('a drain does not wait longer than it may', async () => {
  const all = new OpenPosts();
  all.onBegun(exchange(1));
  const idle = all.whenIdle(1_000);
  expect(await isResolved(idle)).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await isResolved(idle)).toBe(true);
});

test('only answers that are waited for long get a sign of life', () => {
  const all = new OpenPosts();
  const alive: number[] = [];
  const settled = exchange(0, alive);
  for (const one of [settled, exchange(1, alive), exchange(15_000, alive)]) all.onBegun(one);
  all.onSettled(settled);
  all.keepAlive(15_001);
  expect(alive).toEqual([1]);
});
