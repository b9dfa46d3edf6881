import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Housekeeping } from '../../../../../src/downstream/http/server/housekeeping.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what is over ends every 5 s, signs of life are given every 15 s, until it stops', () => {
  const done: string[] = [];
  const seconds = (now: number) => Math.round((now - began) / 1_000);
  const began = performance.now();
  const housekeeping = new Housekeeping({
    tidy: (now) => done.push(`tidy ${seconds(now)}`),
    keepAlive: (now) => done.push(`alive ${seconds(now)}`),
  });
  vi.advanceTimersByTime(60_000);
  expect(done).toEqual([]);
  housekeeping.start();
  vi.advanceTimersByTime(20_000);
  // The time before the start counts: the first sign of life is due at once.
  expect(done).toEqual(['tidy 65', 'alive 65', 'tidy 70', 'tidy 75', 'tidy 80', 'alive 80']);
  housekeeping.stop();
  vi.advanceTimersByTime(60_000);
  expect(done).toHaveLength(6);
});
