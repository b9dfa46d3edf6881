import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Silence } from '../../../../../src/upstream/transports/lines/silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that may be silent for a second, and when it was. */
function open(answer?: 'goes on') {
  const silences: number[] = [];
  const start = performance.now();
  const silence = new Silence(1_000, () => {
    silences.push(Math.round(performance.now() - start));
    return answer;
  });
  return { silence, silences };
}

test('a stream that says no more in the middle of something is noticed once', async () => {
  const { silence, silences } = open();
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(999);
  expect(silences).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(silences).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('each word of the stream begins the time anew', async () => {
  const { silence, silences } = open();
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(600);
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(999);
  expect(silences).toEqual([]);
  await vi.advanceTimersByTimeAsync(5);
  expect(silences).toHaveLength(1);
});

test('a stream that is in the middle of nothing may be silent', async () => {
  const { silence, silences } = open();
  silence.watch(false);
  silence.watch(true);
  silence.watch(false);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(silences).toEqual([]);
});

test('a stream is watched again after it was silent, and after it had ended something', async () => {
  const { silence, silences } = open();
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(2_000);
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(500);
  silence.watch(false);
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(900);
  expect(silences).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(silences).toHaveLength(2);
});

test('a silence that goes on is told again after as long', async () => {
  const { silence, silences } = open('goes on');
  silence.watch(true);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(silences).toHaveLength(3);
  silence.watch(false);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(silences).toHaveLength(3);
});

test('nothing is told of a stream that ends at the very moment', async () => {
  const { silence, silences } = open();
  silence.watch(true);
  vi.advanceTimersByTime(1_000);
  silence.watch(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(silences).toHaveLength(0);
});
