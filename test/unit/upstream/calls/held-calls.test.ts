import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { HeldCalls } from '../../../../src/upstream/calls/held-calls.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const failed: string[] = [];
  const held = new HeldCalls<{ name: string; fail(): void }>();
  const hold = (name: string, limitMs: number) => {
    const call = {
      name,
      fail: () => {
        failed.push(name);
        held.remove(call);
      },
    };
    held.hold(call, limitMs, () => new GatewayError('UPSTREAM_NOT_CONNECTED', 'late'));
    return call;
  };
  return { held, hold, failed };
}

test('a call fails when its time is over, and not before', () => {
  const { held, hold, failed } = open();
  hold('a', 100);
  hold('b', 200);
  vi.advanceTimersByTime(99);
  expect(failed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([failed, held.size]).toEqual([['a'], 1]);
});

test('calls that are released or removed do not fail', () => {
  const { held, hold, failed } = open();
  const first = hold('a', 100);
  hold('b', 100);
  hold('c', 100);
  held.remove(first);
  held.remove(first);
  expect(held.release().map(({ name }) => name)).toEqual(['b', 'c']);
  expect([held.size, held.release(), vi.getTimerCount()]).toEqual([0, [], 0]);
  vi.advanceTimersByTime(200);
  expect(failed).toEqual([]);
});
