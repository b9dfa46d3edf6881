import { expect, test } from 'vitest';
import { ReconnectPauses } from '../../../../../src/workflows/ide/bridge/reconnect-pauses.ts';

const { signal } = new AbortController();

function pausesOf() {
  const waits: number[] = [];
  const clock = { now: () => 0, wait: async (ms: number) => void waits.push(ms) };
  return { waits, pauses: new ReconnectPauses({ reconnectMs: 100, maxReconnectMs: 1_000 }, clock) };
}

test('pauses double to the longest one, and begin anew after a message', async () => {
  const { waits, pauses } = pausesOf();
  for (let attempt = 0; attempt < 6; attempt++) await pauses.wait(signal);
  pauses.onMessage();
  for (let attempt = 0; attempt < 2; attempt++) await pauses.wait(signal);
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000, 100, 200]);
});

test('a pause after very many attempts is still the longest one', async () => {
  const { waits, pauses } = pausesOf();
  for (let attempt = 0; attempt < 2_000; attempt++) await pauses.wait(signal);
  expect(waits.at(-1)).toBe(1_000);
});

test('only the first of several failures in a row is one', async () => {
  const { pauses } = pausesOf();
  expect(pauses.isFirstFailure).toBe(true);
  await pauses.wait(signal);
  expect(pauses.isFirstFailure).toBe(false);
  pauses.onMessage();
  expect(pauses.isFirstFailure).toBe(true);
});

test('a pause ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const clock = { now: () => 0, wait: (_ms: number, given: AbortSignal) => Promise.reject(given.reason) };
  const pauses = new ReconnectPauses({ reconnectMs: 1, maxReconnectMs: 1 }, clock);
  stop.abort(new Error('stopped'));
  await expect(pauses.wait(stop.signal)).rejects.toThrow('stopped');
});
