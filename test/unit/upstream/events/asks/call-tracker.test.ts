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
