import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Lifetime } from '../../../../src/gateway/shared/lifetime.ts';

const LIMITS = { idleExitMs: 60_000, maxLingerMs: 600_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin({ limits = LIMITS, work = [] as string[] } = {}) {
  const ended: string[] = [];
  const doing = { work };
  const lifetime = new Lifetime({ limits, work: { work: () => doing.work }, end: (reason) => ended.push(reason) });
  return { lifetime, ended, doing };
}

describe('a shared gateway', () => {
  test('ends some time after its last client', () => {
    const { lifetime, ended } = begin();
    lifetime.arrive();
    lifetime.arrive();
    lifetime.leave();
    vi.advanceTimersByTime(LIMITS.maxLingerMs * 2);
    expect(ended).toEqual([]);
    lifetime.leave();
    vi.advanceTimersByTime(LIMITS.idleExitMs - 1);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual(['it has no clients and nothing to do']);
    expect(lifetime.arrive()).toBe(false);
  });

  test('does not end if a client comes in time', () => {
    const { lifetime, ended } = begin();
    lifetime.arrive();
    lifetime.leave();
    vi.advanceTimersByTime(LIMITS.idleExitMs - 1);
    expect(lifetime.arrive()).toBe(true);
    vi.advanceTimersByTime(LIMITS.maxLingerMs);
    expect(ended).toEqual([]);
  });

  test('lives as long as there is work, and ends when that is done', () => {
    const { lifetime, ended, doing } = begin({ work: ['build 1'] });
    lifetime.arrive();
    lifetime.leave();
    vi.advanceTimersByTime(LIMITS.idleExitMs + 100_000);
    expect(ended).toEqual([]);
    expect(lifetime.status()).toMatchObject({ clients: 0, keptAliveBy: ['build 1'] });
    doing.work = [];
    vi.advanceTimersByTime(2_000);
    expect(ended).toEqual(['it has no clients and nothing to do']);
  });

  test('does not wait for work for ever', () => {
    const { lifetime, ended } = begin({ work: ['build 1'] });
    lifetime.arrive();
    lifetime.leave();
    vi.advanceTimersByTime(LIMITS.maxLingerMs - 1);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual(['it has waited for its work as long as it may']);
  });

  test('waits for the client that has started it, however short its times are', () => {
    const { lifetime, ended } = begin({ limits: { idleExitMs: 0, maxLingerMs: 0 } });
    vi.advanceTimersByTime(29_999);
    expect(ended).toEqual([]);
    expect(lifetime.arrive()).toBe(true);
    lifetime.leave();
    expect(ended).toEqual(['it has no clients and nothing to do']);
  });

  test('that is retired ends with its last client, after its work', () => {
    const { lifetime, ended, doing } = begin({ work: ['process 1'] });
    lifetime.arrive();
    lifetime.retire();
    expect(ended).toEqual([]);
    lifetime.leave();
    expect(ended).toEqual([]);
    doing.work = [];
    vi.advanceTimersByTime(2_000);
    expect(ended).toHaveLength(1);
  });

  test('follows other limits', () => {
    const { lifetime, ended } = begin();
    lifetime.arrive();
    lifetime.leave();
    lifetime.configure({ idleExitMs: 1_000, maxLingerMs: 1_000 });
    vi.advanceTimersByTime(1_000);
    expect(ended).toHaveLength(1);
  });
});
