import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AskedCall, OpenAsk } from '../../../../../src/upstream/events/asks/open-ask.ts';
import { madeRequest } from '../../../../../src/wire/message.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMIT_MS = 1_000;

/** A question that one of these calls has caused. */
function open(...calls: AskedCall[]) {
  const ask = new OpenAsk(madeRequest('roots/list', '{}'), undefined, { open: calls, left: new Map() });
  const over: string[] = [];
  const wait = (name: string) => ask.waitAtMost(LIMIT_MS, () => over.push(name));
  return { ask, over, wait };
}

function callOf(owner: string, mayGoOn = false) {
  const clock: string[] = [];
  const call = {
    requestId: 1,
    sessionId: owner,
    owner,
    mayGoOn,
    pauseClock: () => void clock.push('pause'),
    resumeClock: () => void clock.push('resume'),
  } as unknown as AskedCall;
  return { call, clock };
}

test('a wait ends once, and a second one does not prolong it', () => {
  const { over, wait } = open();
  wait('first');
  vi.advanceTimersByTime(LIMIT_MS - 1);
  wait('second');
  vi.advanceTimersByTime(1);
  expect(over).toEqual(['first']);
  wait('third');
  vi.advanceTimersByTime(LIMIT_MS);
  expect(over).toEqual(['first', 'third']);
});

test('a question that is given waits no longer, and may wait again when it comes back', () => {
  const { ask, over, wait } = open();
  wait('before');
  expect([ask.beginTurn(), ask.isTurn(1), ask.beginTurn(), ask.isTurn(1)]).toEqual([1, true, 2, false]);
  vi.advanceTimersByTime(LIMIT_MS);
  expect(over).toEqual([]);
  wait('after');
  vi.advanceTimersByTime(LIMIT_MS);
  expect(over).toEqual(['after']);
});

test('a question that is closed waits no longer, and is taken back from its client once', () => {
  const { ask, over, wait } = open();
  wait('before');
  expect(ask.close()).toBeUndefined();
  vi.advanceTimersByTime(LIMIT_MS);
  expect([over, vi.getTimerCount()]).toEqual([[], 0]);
  const withdraw = () => undefined;
  ask.onGiven(withdraw);
  expect([ask.isGiven, ask.close(), ask.isGiven, ask.close()]).toEqual([true, withdraw, false, undefined]);
});

test('the time of a call stands still while a client has its question, once for each time that it is given', () => {
  const { call, clock } = callOf('A');
  const { ask } = open(call);
  ask.onGiven(() => undefined);
  expect(clock).toEqual(['pause']);
  ask.onCallSettled(call);
  ask.close();
  ask.close();
  expect(clock).toEqual(['pause', 'resume']);
});

test('a call that is answered can no longer be meant; one that was given up may be', () => {
  const [a, b] = [callOf('A'), callOf('B', true)];
  const { ask } = open(a.call, b.call);
  expect(ask.verdict()).toEqual({ kind: 'unclear', isBusy: true });
  expect([ask.onCallSettled(b.call), ask.onCallSettled(b.call)]).toEqual([true, false]);
  expect(ask.verdict()).toEqual({ kind: 'unclear', isBusy: false });
  const { ask: other } = open(a.call, callOf('A').call);
  other.onCallSettled(a.call);
  expect(other.verdict()).toMatchObject({ kind: 'client', calls: [{ owner: 'A' }] });
});
