import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkBudget } from '../../../../src/core/timing/work-budget.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const open = () => new WorkBudget({ share: 1 / 10, creditMs: 50, maxRestMs: 1_000 });

test('work within the credit needs no rest; what goes beyond it rests for its share of the time', () => {
  const budget = open();
  budget.spend(50);
  expect(budget.waitMs()).toBe(0);
  budget.spend(5);
  expect(budget.waitMs()).toBe(50);
  vi.advanceTimersByTime(50);
  expect(budget.waitMs()).toBe(0);
});

test('the credit comes back in a quiet time, and grows no further', () => {
  const budget = open();
  budget.spend(50);
  vi.advanceTimersByTime(60_000);
  budget.spend(50);
  expect(budget.waitMs()).toBe(0);
  budget.spend(1);
  expect(budget.waitMs()).toBe(10);
});

test('no rest is longer than the longest', () => {
  const budget = open();
  budget.spend(60_000);
  expect(budget.waitMs()).toBe(1_000);
});
