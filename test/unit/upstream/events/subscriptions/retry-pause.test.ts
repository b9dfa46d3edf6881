import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RetryPause } from '../../../../../src/upstream/events/subscriptions/retry-pause.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** How long each pause is, where everything has lasted for so long. */
function pausesAfter(pause: RetryPause, retried: () => number, lasted: readonly number[]): number[] {
  return lasted.map((lastedMs) => {
    const before = retried();
    const from = performance.now();
    pause.begin(lastedMs);
    while (retried() === before) vi.advanceTimersByTime(1_000);
    return performance.now() - from;
  });
}

function open() {
  let retried = 0;
  return { pause: new RetryPause(() => retried++), retried: () => retried };
}

test('each pause is twice as long, up to a minute', () => {
  const { pause, retried } = open();
  const pauses = pausesAfter(pause, retried, [0, 0, 0, 0, 0, 0, 0, 0]);
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('what has lasted for more than a minute fails for the first time', () => {
  const { pause, retried } = open();
  expect(pausesAfter(pause, retried, [0, 60_000, 60_001, 0])).toEqual([1_000, 2_000, 1_000, 2_000]);
});

test('a retry that is given up does not come, and only `reset` forgets the failures', () => {
  const { pause, retried } = open();
  pause.begin(0);
  pause.cancel();
  vi.advanceTimersByTime(60_000);
  expect(retried()).toBe(0);
  expect(pausesAfter(pause, retried, [0])).toEqual([2_000]);
  pause.begin(0);
  pause.reset();
  vi.advanceTimersByTime(60_000);
  expect(pausesAfter(pause, retried, [0])).toEqual([1_000]);
});

test('there is one retry, however many pauses begin', () => {
  const { pause, retried } = open();
  pause.begin(0);
  pause.begin(0);
  vi.advanceTimersByTime(10_000);
  expect(retried()).toBe(1);
});
