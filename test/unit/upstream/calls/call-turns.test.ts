import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRefusals } from '../../../../src/upstream/calls/call-refusals.ts';
import { CallTurns } from '../../../../src/upstream/calls/call-turns.ts';
import { OutgoingCall } from '../../../../src/upstream/calls/outgoing-call.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS, taskCallOf } from '../calls.ts';
import { entryOf } from '../entries.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open({ maxConcurrency = 1, isSerial = false } = {}) {
  const entry = entryOf({ maxConcurrency });
  const dispatched: OutgoingCall[] = [];
  const turns = new CallTurns({
    entry,
    oneAtATimeBy: [],
    refusals: new CallRefusals({ entry, againHint: '', state: () => ({ name: 'ready', since: 0 }) }),
    isSerial: () => isSerial,
    dispatch: (call) => void dispatched.push(call),
  });
  const owner = {
    upstream: 'up',
    elicitations: NO_ELICITATIONS,
    onSent: () => undefined,
    onSettled: (call: OutgoingCall) => turns.end(call),
    onReturned: () => undefined,
    lastWords: () => '',
    readTools: () => Promise.resolve(),
    publicReply: <Reply>(_call: unknown, reply: Reply) => reply,
  };
  const newCall = (sessionId = 'A', text = callOf) => {
    const caller = new KeepingCaller(sessionId);
    const call = new OutgoingCall(text('t', '{}', caller), entry.timeouts, owner);
    return { call, caller };
  };
  const take = (sessionId?: string) => {
    const { call, caller } = newCall(sessionId);
    turns.take(call);
    return { call, caller };
  };
  const soon = () => vi.advanceTimersByTimeAsync(0);
  return { turns, dispatched, owner, entry, take, soon };
}

test('a call is dispatched at once while there is room, and else when another has ended', async () => {
  const { turns, dispatched, take, soon } = open();
  const first = take().call;
  const second = take().call;
  expect([dispatched, turns.waiting]).toEqual([[first], 1]);
  turns.end(first);
  await soon();
  expect([dispatched, turns.waiting]).toEqual([[first, second], 0]);
});

test('a call about a task takes no turn', () => {
  const { turns, dispatched, owner, entry, take } = open();
  take();
  const about = new OutgoingCall(taskCallOf('tasks/get', 'x', new KeepingCaller('A')), entry.timeouts, owner);
  turns.take(about);
  expect([dispatched.includes(about), turns.waiting]).toEqual([true, 0]);
});

test('a call that is settled already gets no turn, and keeps nobody from theirs', () => {
  const { turns, dispatched, owner, entry, take } = open({ isSerial: true });
  const about = new OutgoingCall(taskCallOf('tasks/get', 'x', new KeepingCaller('A')), entry.timeouts, owner);
  const call = new OutgoingCall(callOf('t', '{}', new KeepingCaller('A')), entry.timeouts, owner);
  for (const settled of [about, call]) {
    settled.cancel();
    turns.take(settled);
  }
  expect([dispatched, turns.waiting]).toEqual([[], 0]);
  const other = take('B').call;
  expect(dispatched).toEqual([other]);
});

test('a call that has waited for too long fails, and those behind it are dispatched', async () => {
  const { turns, dispatched, entry, take, soon } = open();
  const first = take();
  const second = take();
  vi.advanceTimersByTime(entry.timeouts.callMs - 1);
  expect(second.caller.failures).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(second.caller.failures.map(({ code }) => code)).toEqual(['OVERLOADED']);
  expect(turns.waiting).toBe(0);
  const third = take().call;
  turns.end(first.call);
  await soon();
  expect(dispatched).toEqual([first.call, third]);
});

test('a call that is dispatched is not held to that time any more', async () => {
  const { turns, entry, take, soon } = open();
  const first = take().call;
  const second = take();
  turns.end(first);
  await soon();
  vi.advanceTimersByTime(2 * entry.timeouts.callMs);
  expect(second.caller.failures).toEqual([]);
});

test('a call that was taken back waits for its turn like any other, and no longer', async () => {
  const { turns, dispatched, entry, take, soon } = open();
  const first = take();
  const second = take();
  turns.end(first.call);
  await soon();
  turns.take(first.call);
  expect([dispatched, turns.waiting]).toEqual([[first.call, second.call], 1]);
  vi.advanceTimersByTime(entry.timeouts.callMs);
  expect(first.caller.failures.map(({ code }) => code)).toEqual(['OVERLOADED']);
  expect(turns.waiting).toBe(0);
});

test('where clients take turns, one waits for the calls of the other', async () => {
  const { turns, dispatched, take, soon } = open({ maxConcurrency: 10, isSerial: true });
  const [a1, a2, b] = [take('A').call, take('A').call, take('B').call];
  expect(dispatched).toEqual([a1, a2]);
  expect(turns.isAwaitingClient).toBe(false);
  a1.pauseClock();
  expect(turns.isAwaitingClient).toBe(true);
  a1.resumeClock();
  turns.end(a1);
  turns.end(a2);
  await soon();
  expect(dispatched).toEqual([a1, a2, b]);
});

test('more than a thousand do not wait', () => {
  const { turns, take } = open();
  for (let count = 0; count < 1_001; count++) take();
  expect(turns.waiting).toBe(1_000);
  expect(take().caller.failures[0]!.message).toBe('up: 1000 calls are waiting already');
});
