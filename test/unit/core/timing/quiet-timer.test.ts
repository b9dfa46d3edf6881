import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QuietTimer } from '../../../../src/core/timing/quiet-timer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const RULES = { quietMs: 1_000, maxWaitMs: 5_000 };

it('calls once when there was no activity for a while', () => {
  const onQuiet = vi.fn();
  const timer = new QuietTimer(RULES, onQuiet);
  timer.touch();
  vi.advanceTimersByTime(600);
  timer.touch();
  vi.advanceTimersByTime(999);
  expect(onQuiet).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onQuiet).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(onQuiet).toHaveBeenCalledTimes(1);
});

it('does not wait longer than its limit, and begins anew after that', () => {
  const onQuiet = vi.fn();
  const timer = new QuietTimer(RULES, onQuiet);
  const beBusy = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      timer.touch();
      vi.advanceTimersByTime(100);
    }
  };
  beBusy(4_900);
  expect(onQuiet).not.toHaveBeenCalled();
  beBusy(100);
  expect(onQuiet).toHaveBeenCalledTimes(1);
  beBusy(4_900);
  expect(onQuiet).toHaveBeenCalledTimes(1);
  beBusy(100);
  expect(onQuiet).toHaveBeenCalledTimes(2);
});

it('forgets activity', () => {
  const onQuiet = vi.fn();
  const timer = new QuietTimer(RULES, onQuiet);
  timer.touch();
  timer.clear();
  vi.advanceTimersByTime(10_000);
  expect(onQuiet).not.toHaveBeenCalled();
  timer.touch();
  vi.advanceTimersByTime(1_000);
  expect(onQuiet).toHaveBeenCalledTimes(1);
});
