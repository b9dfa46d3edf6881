import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionState } from '../../../../src/upstream/connection/machine.ts';
import { IdleStop } from '../../../../src/upstream/idle/idle-stop.ts';
import { entryOf } from '../entries.ts';

const MINUTE = 60_000;
const LIMIT = 10 * MINUTE;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An upstream that has just become ready. */
function open(rules: Parameters<typeof entryOf>[0] = {}) {
  const entry = { ...entryOf({ instructions: false, idleStopMs: LIMIT }), ...rules };
  const stops: string[] = [];
  let state = { name: 'ready', since: 0 } as ConnectionState;
  let isBusy = false;
  const idle = new IdleStop({
    entry,
    state: () => state,
    isBusy: () => isBusy,
    stop: (reason) => {
      stops.push(reason);
      become({ name: 'idle', since: 0, reason });
    },
  });
  const become = (next: ConnectionState) => {
    state = next;
    idle.onState(next);
  };
  become(state);
  return {
    idle,
    stops,
    become,
    entry,
    setBusy: (now: boolean) => {
      isBusy = now;
    },
    wait: (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE),
  };
}

const legacy = (clientId: string) => ({ clientId, era: 'legacy' as const });
const modern = (clientId: string) => ({ clientId, era: 'modern' as const });

test('an upstream that no client has called is stopped after its time', async () => {
  const { stops, wait } = open();
  await wait(9.9);
  expect(stops).toEqual([]);
  await wait(0.2);
  expect(stops).toEqual(['it was not used for 10 min; it starts with the next call']);
  await wait(100);
  expect(stops).toHaveLength(1);
});

describe('while a client that has called it is connected', () => {
  test('it goes on, because it may keep something for that client', async () => {
    const { idle, stops, wait } = open();
    idle.onCall(legacy('a'));
    idle.onCall(legacy('b'));
    await wait(60);
    idle.onSessionEnded('a');
    idle.onSessionEnded('never seen');
    await wait(60);
    expect(stops).toEqual([]);
    idle.onSessionEnded('b');
    await wait(9.9);
    expect(stops).toEqual([]);
    await wait(10);
    expect(stops).toHaveLength(1);
  });

  test('it is stopped all the same if it keeps nothing', async () => {
    const { idle, stops, wait } = open({ stateless: true });
    await wait(9);
    idle.onCall(legacy('a'));
    await wait(9);
    expect(stops).toEqual([]);
    await wait(2);
    expect(stops).toHaveLength(1);
  });

  test('a modern client counts as gone after ten minutes of silence', async () => {
    const { idle, stops, wait } = open({ idleStopMs: 30 * MINUTE });
    idle.onCall(modern('a'));
    await wait(25);
    idle.onCall(modern('a'));
    await wait(30);
    expect(stops).toEqual([]);
    await wait(10);
    expect(stops).toHaveLength(1);
  });
});

test('calls, subscriptions and tasks keep it, and it has its whole time after them', async () => {
  const { stops, wait, setBusy } = open();
  setBusy(true);
  await wait(35);
  setBusy(false);
  await wait(4);
  expect(stops).toEqual([]);
  await wait(11);
  expect(stops).toHaveLength(1);
});

test('who has used an earlier process does not keep the next one', async () => {
  const { idle, stops, wait, become } = open();
  idle.onCall(legacy('a'));
  become({ name: 'backoff', since: 0, attempt: 1, retryAt: 0, reason: 'it ended' });
  await wait(20);
  expect(stops).toEqual([]);
  become({ name: 'starting', since: 0, attempt: 2 });
  become({ name: 'ready', since: 0 });
  await wait(11);
  expect(stops).toHaveLength(1);
});

test('a call that waits for the start counts as a use of the process that is started for it', async () => {
  const { idle, stops, wait, become } = open();
  become({ name: 'idle', since: 0 });
  idle.onCall(legacy('a'));
  become({ name: 'starting', since: 0, attempt: 1 });
  become({ name: 'ready', since: 0 });
  await wait(30);
  expect(stops).toEqual([]);
});

test.each([
  ['its time is 0', { idleStopMs: 0 }],
  ['it is to run with the gateway', { start: 'eager' as const }],
  ['only people start it', { restart: 'never' as const, start: 'lazy' as const }],
])('it is never stopped where %s', async (_where, rules) => {
  const { stops, wait } = open(rules);
  await wait(24 * 60);
  expect(stops).toEqual([]);
});

test('new rules hold at once', async () => {
  const { idle, stops, wait, entry } = open();
  await wait(5);
  Object.assign(entry, { idleStopMs: 3 * MINUTE });
  idle.onRulesChanged();
  await wait(0.01);
  expect(stops).toEqual(['it was not used for 3 min; it starts with the next call']);
});

test.each([
  [700, '1 s'],
  [400, '400 ms'],
  [90_000, '90 s'],
])('the reason names a time of %i ms as %s', async (idleStopMs, words) => {
  const { stops, wait } = open({ idleStopMs });
  await wait(2);
  expect(stops).toEqual([`it was not used for ${words}; it starts with the next call`]);
});
