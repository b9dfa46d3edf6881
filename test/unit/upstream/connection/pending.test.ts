import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { PendingRequests, type Waiter } from '../../../../src/upstream/connection/pending.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

interface Limits {
  readonly idleMs?: number;
  readonly totalMs?: number;
}

function open(firstId = 100) {
  const timeouts: { id: number; afterMs: number; at: number }[] = [];
  const begin = performance.now();
  const now = () => Math.round(performance.now() - begin);
  const pending = new PendingRequests(firstId, (id, _waiter, afterMs) => timeouts.push({ id, afterMs, at: now() }));
  const failures: string[] = [];
  const add = (limits: Limits = {}, onFailure?: () => void) =>
    pending.add({
      ...limits,
      onResponse: () => undefined,
      onFailure: (error) => {
        failures.push(error.message);
        onFailure?.();
      },
    });
  return { pending, timeouts, failures, add };
}

const gone = () => new GatewayError('UPSTREAM_EXITED', 'gone');

describe('ids', () => {
  test('ascend, are never used twice, and are taken once', () => {
    const { pending, add } = open(7);
    expect([add(), add(), add()]).toEqual([7, 8, 9]);
    expect(pending.take(8)).toBeDefined();
    expect(pending.take(8)).toBeUndefined();
    expect(pending.take(10)).toBeUndefined();
    expect(pending.take(-0)).toBeUndefined();
    expect(pending.touch(8)).toBeUndefined();
    expect(add()).toBe(10);
    expect(pending.size).toBe(3);
  });

  test('lead to their own waiter', () => {
    const { pending } = open();
    const waiter: Waiter = { onResponse: () => undefined, onFailure: () => undefined };
    const id = pending.add(waiter);
    expect(pending.touch(id)).toBe(waiter);
    expect(pending.take(id)).toBe(waiter);
  });
});

describe('deadlines', () => {
  test('of silence and of the whole are each told once, by the limit that passed', () => {
    const { pending, timeouts, add } = open();
    add({ idleMs: 1_000, totalMs: 5_000 });
    add({ totalMs: 2_000 });
    add({});
    vi.advanceTimersByTime(999);
    expect(timeouts).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(timeouts.map(({ id, afterMs }) => [id, afterMs])).toEqual([
      [100, 1_000],
      [101, 2_000],
    ]);
    for (const { at, afterMs } of timeouts) expect(at - afterMs).toBeLessThanOrEqual(100);
    expect(pending.size).toBe(1);
    expect(pending.take(100)).toBeUndefined();
  });

  test('of silence begin anew with a sign of life, that of the whole does not', () => {
    const { pending, timeouts, add } = open();
    const id = add({ idleMs: 1_000, totalMs: 3_000 });
    for (let count = 0; count < 5; count++) {
      vi.advanceTimersByTime(900);
      pending.touch(id);
    }
    expect(timeouts).toEqual([{ id, afterMs: 3_000, at: 3_000 }]);
  });

  test('that are not reached are not told', () => {
    const { pending, timeouts, add } = open();
    pending.take(add({ idleMs: 1_000 }));
    vi.advanceTimersByTime(10_000);
    expect(timeouts).toEqual([]);
  });

  test('leave no timer running for long when nobody waits, and start one again for the next', () => {
    const { pending, timeouts, add } = open();
    add({});
    expect(vi.getTimerCount()).toBe(0);
    const id = add({ idleMs: 100 });
    add({ idleMs: 100 });
    expect(vi.getTimerCount()).toBe(1);
    pending.take(id);
    vi.advanceTimersByTime(200);
    expect(timeouts).toHaveLength(1);
    pending.take(100);
    vi.advanceTimersByTime(100);
    expect([pending.size, vi.getTimerCount()]).toEqual([0, 0]);
    add({ totalMs: 100 });
    vi.advanceTimersByTime(300);
    expect(timeouts).toHaveLength(2);
    expect([pending.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('of a request that is made while another is given up are kept', () => {
    const again: number[] = [];
    const pending = new PendingRequests(1, (id) => {
      again.push(id);
      if (id < 3) pending.add({ idleMs: 500, onResponse: () => undefined, onFailure: () => undefined });
    });
    pending.add({ idleMs: 500, onResponse: () => undefined, onFailure: () => undefined });
    vi.advanceTimersByTime(5_000);
    expect(again).toEqual([1, 2, 3]);
  });
});

describe('failAll', () => {
  test('settles each waiter once, in order, and leaves nothing behind', () => {
    const { pending, timeouts, failures, add } = open();
    for (let count = 0; count < 3; count++) add({ idleMs: 500 });
    pending.take(101);
    pending.failAll((waiter) => new GatewayError('UPSTREAM_EXITED', `gone after ${waiter.idleMs}`));
    pending.failAll(gone);
    expect(failures).toEqual(['gone after 500', 'gone after 500']);
    vi.advanceTimersByTime(5_000);
    expect(timeouts).toEqual([]);
    expect([pending.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('does not touch requests that a waiter makes when it fails', () => {
    const { pending, failures, add } = open();
    add({}, () => add({}));
    pending.failAll(gone);
    expect([failures, pending.size]).toEqual([['gone'], 1]);
  });
});

describe('while a peer waits for somebody else', () => {
  test('neither limit counts, and both go on where they were afterwards', () => {
    const { pending, timeouts, add } = open();
    const id = add({ idleMs: 1_000, totalMs: 2_000 });
    vi.advanceTimersByTime(900);
    pending.pause(id);
    vi.advanceTimersByTime(30_000);
    pending.pause(id);
    vi.advanceTimersByTime(30_000);
    pending.resume(id);
    vi.advanceTimersByTime(60_000);
    expect(timeouts).toEqual([]);
    pending.resume(id);
    vi.advanceTimersByTime(900);
    pending.touch(id);
    expect(timeouts).toEqual([]);
    vi.advanceTimersByTime(300);
    expect(timeouts).toEqual([{ id, afterMs: 2_000, at: expect.any(Number) }]);
    pending.resume(id);
    pending.pause(id);
  });
});

describe('runOut', () => {
  const emptied = () => {
    const calls: string[] = [];
    return { calls, onEmpty: () => calls.push('empty') };
  };

  test('fails what has no limit and what is not with the peer, and leaves the rest', async () => {
    const { pending, failures, add } = open();
    add({});
    const id = add({ idleMs: 500 });
    pending.add({ idleMs: 500, onResponse: () => undefined, onFailure: () => failures.push('parked') }, true);
    const { calls, onEmpty } = emptied();
    pending.runOut(gone, onEmpty);
    expect([failures, pending.size, calls]).toEqual([['gone', 'parked'], 1, []]);
    pending.take(id);
    await Promise.resolve();
    expect(calls).toEqual(['empty']);
  });

  test.each<[string, (pending: PendingRequests) => unknown]>([
    ['there is nothing', () => undefined],
    ['the last one is out of time', () => vi.advanceTimersByTime(600)],
    ['the connection ends', (pending) => pending.failAll(gone)],
  ])('tells once when nothing is left, because %s', async (what, end) => {
    const { pending, add } = open();
    if (what !== 'there is nothing') add({ idleMs: 500 });
    const { calls, onEmpty } = emptied();
    pending.runOut(gone, onEmpty);
    end(pending);
    pending.failAll(gone);
    await Promise.resolve();
    expect(calls).toEqual(['empty']);
  });

  test('lets time go on for what waited for a client, which cannot be answered any more', () => {
    const { pending, timeouts, add } = open();
    const id = add({ idleMs: 1_000, totalMs: 5_000 });
    pending.pause(id);
    vi.advanceTimersByTime(60_000);
    pending.runOut(gone, () => undefined);
    pending.resume(id);
    vi.advanceTimersByTime(900);
    expect(timeouts).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(timeouts).toMatchObject([{ id, afterMs: 1_000 }]);
  });
});
