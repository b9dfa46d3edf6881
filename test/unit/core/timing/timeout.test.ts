import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTimeout } from '../../../../src/core/timing/timeout.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const late = () => new Error('late');

test('what is in time keeps its outcome and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve(1), 1_000, late)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error('own')), 1_000, late)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
});

test('what is late fails with the error made for it, at its time, and its own outcome disturbs nobody', async () => {
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  let outcome = 'none';
  const settled = withTimeout(promise, 1_000, late).catch((error: Error) => {
    outcome = error.message;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome).toBe('none');
  await vi.advanceTimersByTimeAsync(1);
  await settled;
  expect(outcome).toBe('late');
  fail(new Error('too late to matter'));
  expect(vi.getTimerCount()).toBe(0);
});
