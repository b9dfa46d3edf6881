import { describe, expect, test } from 'vitest';
import { CallTracker, type EndingCall } from '../../../../../src/upstream/events/asks/call-tracker.ts';

function open() {
  const tracker = new CallTracker<EndingCall>();
  let ids = 0;
  const send = (owner: string, sessionId = owner) => {
    const call = { requestId: ++ids, sessionId, owner, mayGoOn: false };
    tracker.onSent(call, -1);
    return call;
  };
  const answer = (call: EndingCall) => tracker.onSettled(call);
  const giveUp = (call: EndingCall) => tracker.onSettled(Object.assign(call, { mayGoOn: true }));
  return { tracker, send, answer, giveUp };
}

describe('a notice that names no call', () => {
  test('is of the client whose call is open, where nobody else has used the connection', () => {
    const { tracker, send, answer } = open();
    answer(send('A'));
    const call = send('A');
    expect(tracker.ofNotice()).toEqual({ kind: 'client', calls: [call] });
  });

  test('is of nobody once somebody else has used the connection: it may be late', () => {
    const { tracker, send, answer } = open();
    answer(send('A'));
    send('B');
    expect(tracker.ofNotice().kind).toBe('unclear');
    tracker.reset();
    send('B');
    expect(tracker.ofNotice().kind).toBe('client');
  });

  test('is of no call before the first, and of one that is over between calls', () => {
    const { tracker, send, answer } = open();
    expect(tracker.ofNotice().kind).toBe('no-call');
    answer(send('A'));
    expect(tracker.ofNotice().kind).toBe('over');
    expect([tracker.isOnlyOf('A'), tracker.isOnlyOf('B')]).toEqual([true, false]);
  });

  test('is of nobody where somebody has answered a question outside of calls', () => {
    const { tracker, send } = open();
    tracker.onAnswered('B');
    send('A');
    expect(tracker.ofNotice().kind).toBe('unclear');
  });
});

describe('a call that was given up', () => {
  test('casts doubt on all but its owner until it is answered', () => {
    const { tracker, send, giveUp } = open();
    const call = send('A');
    giveUp(call);
    expect([tracker.isTaintedFor('A'), tracker.isTaintedFor('B')]).toEqual([false, true]);
    tracker.onLateAnswer(call.requestId);
    expect(tracker.isTaintedFor('B')).toBe(false);
  });

  test('is told apart from others only while there are not too many of them', () => {
    const { tracker, send, giveUp } = open();
    for (let count = 0; count < 10_000; count++) giveUp(send('A'));
    expect(tracker.isTaintedFor('A')).toBe(false);
    for (let count = 0; count < 10; count++) giveUp(send('A'));
    expect([tracker.left.size, tracker.isTaintedFor('A')]).toEqual([10_001, true]);
  });

  test('and then sent again is one call', () => {
    const { tracker, send } = open();
    const call = send('A');
    tracker.onReturned(call);
    expect(tracker.size).toBe(0);
    tracker.onSent({ ...call, requestId: 99 }, call.requestId);
    expect([...tracker.open].map(({ requestId }) => requestId)).toEqual([99]);
  });
});

describe('a call that is tracked', () => {
  const callOf = (requestId: number, owner: string, mayGoOn = true) =>
    ({ requestId, owner, sessionId: owner, mayGoOn }) as unknown as EndingCall;

  test('has the id of its last try only', () => {
    const tracker = new CallTracker<EndingCall>();
    const call = callOf(1, 'A') as { requestId: number } & EndingCall;
    tracker.onSent(call, -1);
    call.requestId = 2;
    tracker.onSent(call, 1);
    expect([tracker.size, tracker.find(1), tracker.find(2)]).toEqual([1, undefined, call]);
  });

  test('and was taken back may ask nothing, one that was given up may, until it is answered', () => {
    const tracker = new CallTracker<EndingCall>();
    for (const id of [1, 2, 3]) tracker.onSent(callOf(id, 'A', id !== 3), -1);
    tracker.onReturned(callOf(1, 'A'));
    tracker.onSettled(callOf(1, 'A'));
    tracker.onSettled(callOf(2, 'A'));
    tracker.onSettled(callOf(3, 'A', false));
    expect([tracker.size, [...tracker.left]]).toEqual([0, [[2, 'A']]]);
    expect([tracker.isTaintedFor('A'), tracker.isTaintedFor('B')]).toEqual([false, true]);
    tracker.onLateAnswer(2);
    expect(tracker.isTaintedFor('B')).toBe(false);
  });

  test('is forgotten with its connection', () => {
    const tracker = new CallTracker<EndingCall>();
    tracker.onSent(callOf(1, 'A'), -1);
    tracker.onSent(callOf(2, 'A'), -1);
    tracker.onSettled(callOf(2, 'A'));
    expect(tracker.isOnlyOf('B')).toBe(false);
    tracker.reset();
    expect([tracker.size, tracker.left.size, tracker.isOnlyOf('B')]).toEqual([0, 0, true]);
  });

  test('makes its owner the only one, until another has used the connection', () => {
    const tracker = new CallTracker<EndingCall>();
    expect(tracker.isOnlyOf('A')).toBe(true);
    tracker.onSent(callOf(1, 'A'), -1);
    tracker.onSent(callOf(2, 'A'), -1);
    expect([tracker.isOnlyOf('A'), tracker.isOnlyOf('B')]).toEqual([true, false]);
    tracker.onAnswered('B');
    expect([tracker.isOnlyOf('A'), tracker.isOnlyOf('B')]).toEqual([false, false]);
  });
});
