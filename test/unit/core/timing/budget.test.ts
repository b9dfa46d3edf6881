import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Budget } from '../../../../src/core/timing/budget.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const taken = (budget: Budget, tries: number): number =>
  Array.from({ length: tries }, () => budget.take()).filter(Boolean).length;

test('a burst, then so many a second, and the burst again after a quiet time', () => {
  const budget = new Budget({ burst: 10, perSecond: 5 });
  expect(taken(budget, 100)).toBe(10);
  vi.advanceTimersByTime(1_000);
  expect(taken(budget, 100)).toBe(5);
  vi.advanceTimersByTime(60_000);
  expect(taken(budget, 100)).toBe(10);
});
