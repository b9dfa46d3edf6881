import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ticker } from '../../../../src/upstream/connection/ticker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a ticker ticks while it is switched on, once each time however often it was switched on', () => {
  let ticks = 0;
  const ticker = new Ticker(100, () => ticks++);
  vi.advanceTimersByTime(1_000);
  expect(ticks).toBe(0);
  ticker.start();
  ticker.start();
  vi.advanceTimersByTime(1_000);
  expect(ticks).toBe(10);
  ticker.stop();
  vi.advanceTimersByTime(1_000);
  expect([ticks, vi.getTimerCount()]).toEqual([10, 0]);
  ticker.start();
  vi.advanceTimersByTime(100);
  expect(ticks).toBe(11);
});
