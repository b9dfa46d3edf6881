import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListChanges } from '../../../../src/upstream/lists/list-changes.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const asked: string[] = [];
  return { changes: new ListChanges((kind) => asked.push(kind)), asked };
}

test('a list that has changed is asked for at once, and once however often it is said', () => {
  const { changes, asked } = open();
  changes.note(['tool', 'prompt']);
  expect(asked).toEqual(['tool', 'prompt']);
  for (let count = 0; count < 100; count++) changes.note(['tool']);
  expect(asked.length).toBeLessThanOrEqual(5);
  vi.advanceTimersByTime(10_000);
  expect(asked.filter((kind) => kind === 'prompt')).toHaveLength(1);
  expect(asked.length).toBeLessThanOrEqual(6);
});

test('after light work nothing rests, after heavy work for twenty times as long, and for a minute at most', () => {
  for (const [workMs, restMs] of [
    [199, 0],
    [225, 500],
    [60_000, 60_000],
  ] as const) {
    const { changes, asked } = open();
    changes.spend(workMs);
    changes.note(['tool']);
    changes.note(['prompt']);
    vi.advanceTimersByTime(Math.max(0, restMs - 1));
    expect(asked.length).toBe(restMs === 0 ? 2 : 0);
    vi.advanceTimersByTime(1_000);
    expect(asked).toEqual(['tool', 'prompt']);
  }
});

test('changes are read in a twentieth of the time', () => {
  const asked: number[] = [];
  const changes = new ListChanges(() => {
    asked.push(performance.now());
    changes.spend(30);
  });
  const from = performance.now();
  for (let at = 0; at < 100_000; at += 100) {
    changes.note(['tool']);
    vi.advanceTimersByTime(100);
  }
  const share = (asked.length * 30) / (performance.now() - from);
  expect(share).toBeGreaterThan(0.045);
  expect(share).toBeLessThan(0.055);
});

test('what has changed is forgotten with the connection, and the rest with it', () => {
  const { changes, asked } = open();
  changes.spend(300);
  changes.note(['tool']);
  changes.clear();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(asked).toEqual([]);
  changes.note(['prompt']);
  expect(asked).toEqual(['prompt']);
});

test('what changes on the next connection waits for the rest of the rest', () => {
  const { changes, asked } = open();
  changes.spend(250);
  changes.note(['tool']);
  changes.clear();
  changes.note(['prompt']);
  vi.advanceTimersByTime(999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(asked).toEqual(['prompt']);
});
