import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Confirmations } from '../../../../../src/upstream/events/subscriptions/confirmations.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a stream settles what was asked for on it, once it is acknowledged', async () => {
  const confirmations = new Confirmations();
  const [a, b, c] = ['a', 'b', 'c'].map((uri) => confirmations.wait(uri, 1_000));
  const uris = new Set(['a', 'b']);
  confirmations.settleBy({ uris, told: undefined });
  confirmations.settleBy({ uris, told: new Set(['a', 'c']) });
  vi.advanceTimersByTime(1_000);
  expect(await Promise.all([a, b, c])).toEqual(['told', 'refused', 'silent']);
});

test('all, or some, are settled alike, and leave no timer', async () => {
  const confirmations = new Confirmations();
  const [a, b] = ['a', 'b'].map((uri) => confirmations.wait(uri, 1_000));
  confirmations.settleAll('refused', new Set(['a']));
  confirmations.settleAll('lost');
  expect(await Promise.all([a, b])).toEqual(['refused', 'lost']);
  expect(vi.getTimerCount()).toBe(0);
});
