import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { throttle } from '../../../../src/core/timing/throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const LIMITS = { burst: 4, intervalMs: 300 };

function start(limits = LIMITS) {
  const actions: number[] = [];
  const begin = performance.now();
  const throttled = throttle(() => actions.push(Math.round(performance.now() - begin)), limits);
  return {
    actions,
    request: () => throttled.request(),
    cancel: () => throttled.cancel(),
    now: () => Math.round(performance.now() - begin),
  };
}

describe('requests', () => {
  test('that are few are acted on at once', () => {
    const { actions, request } = start();
    for (const wait of [0, 10, 0, 500, 1_000]) {
      vi.advanceTimersByTime(wait);
      request();
    }
    expect(actions).toEqual([0, 10, 10, 510, 1_510]);
  });

  test('of a storm are acted on in the burst, then once an interval, and once more after its end', () => {
    const { actions, request } = start();
    for (let count = 0; count < 1_000; count++) {
      request();
      vi.advanceTimersByTime(1);
    }
    vi.runAllTimers();
    expect(actions).toEqual([0, 1, 2, 3, 300, 600, 900, 1_200]);
  });

  test('after a quiet time have the whole burst again, and no more than that', () => {
    const { actions, request } = start();
    for (let count = 0; count < 5; count++) request();
    vi.advanceTimersByTime(1_000_000);
    const before = actions.length;
    for (let count = 0; count < 5; count++) request();
    expect(actions.length - before).toBe(4);
  });

  test('within the limits and with none forgotten, whenever they come', () => {
    const waits = fc.array(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 1_000 })), { minLength: 1, maxLength: 40 });
    const limits = fc.record({ burst: fc.integer({ min: 1, max: 4 }), intervalMs: fc.constantFrom(1, 50, 300) });
    fc.assert(
      fc.property(waits, limits, (gaps, { burst, intervalMs }) => {
        const { actions, request, now } = start({ burst, intervalMs });
        let asked = 0;
        for (const gap of gaps) {
          vi.advanceTimersByTime(gap);
          request();
          asked = now();
        }
        vi.runAllTimers();
        expect(actions.at(-1)).toBeGreaterThanOrEqual(asked);
        expect(actions.at(-1)! - asked).toBeLessThanOrEqual(intervalMs);
        for (const [index, action] of actions.entries()) {
          // Of the actions from here on, `burst + n` take n intervals at least; one interval may have begun before.
          for (const [more, later] of actions.slice(index + burst).entries()) {
            expect(later - action).toBeGreaterThanOrEqual(more * intervalMs);
          }
        }
        expect(actions.length).toBeLessThanOrEqual(burst + Math.floor(actions.at(-1)! / intervalMs));
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

test('a request that waits is forgotten on cancel, and later ones are not', () => {
  const { actions, request, cancel } = start({ burst: 1, intervalMs: 100 });
  request();
  request();
  cancel();
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(actions).toEqual([0]);
  request();
  expect(actions).toEqual([0, 1_000]);
});
