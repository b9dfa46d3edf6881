import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WantedResource } from '../../../../src/session/subscriptions/wanted-resource.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const wanted = () => new WantedResource({ id: 'p' } as never);

test('it is asked for later each time, and soon again once its provider was lost', () => {
  const resource = wanted();
  const delays = () => {
    const began = Date.now();
    let at = -1;
    resource.tryLater(() => (at = Date.now() - began));
    vi.advanceTimersByTime(120_000);
    return at;
  };
  expect(Array.from({ length: 8 }, delays)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  resource.lose();
  expect([resource.provider, resource.id, delays()]).toEqual([undefined, 'p', 1_000]);
});

test('a newer wait takes the place of an older one, and none goes on after the end', () => {
  const resource = wanted();
  const calls: string[] = [];
  resource.tryLater(() => calls.push('first'));
  resource.tryLater(() => calls.push('second'));
  vi.advanceTimersByTime(120_000);
  expect(calls).toEqual(['second']);
  const cancelled: unknown[] = [];
  resource.asking = { cancel: () => cancelled.push('asked') };
  resource.tryLater(() => calls.push('third'));
  resource.end();
  vi.advanceTimersByTime(120_000);
  expect([calls, cancelled]).toEqual([['second'], ['asked']]);
});
