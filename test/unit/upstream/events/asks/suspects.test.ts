import { describe, expect, test } from 'vitest';
import { CallTracker } from '../../../../../src/upstream/events/asks/call-tracker.ts';
import { type SuspectCall, suspectsOf } from '../../../../../src/upstream/events/asks/suspects.ts';
import { type CallText, readCallText } from '../../../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../../../src/wire/message.ts';
import { KeepingCaller } from '../../calls.ts';

/** A call that is open at an upstream under this id. */
function call(
  requestId: number,
  sessionId: string,
  method = 'tools/call',
  params: object = { name: 't' },
): SuspectCall {
  const text = readCallText(madeRequest(method, JSON.stringify(params))) as CallText;
  const caller = new KeepingCaller(sessionId);
  const own = { text, ownName: text.target, caller };
  return { requestId, owner: sessionId, sessionId, mayGoOn: true, call: own } as unknown as SuspectCall;
}

function tracked(...calls: SuspectCall[]) {
  const tracker = new CallTracker<SuspectCall>();
  for (const one of calls) tracker.onSent(one, -1);
  return tracker;
}

const NOTHING = { task: undefined, of: undefined };
const resultOf = (requestId: number, sessionId: string, taskId: string) =>
  call(requestId, sessionId, 'tasks/result', { taskId });

describe('a question that names nothing', () => {
  test('may be of any open call, but not of a request about a task', () => {
    const [one, other, about] = [call(1, 'A'), call(2, 'B'), resultOf(3, 'C', 'x')];
    expect(suspectsOf(tracked(one, other, about), NOTHING)).toMatchObject({
      kind: 'calls',
      open: [one, other],
      isNamed: false,
    });
  });

  test('may be of a request about a task where nothing else is open', () => {
    const about = resultOf(3, 'C', 'x');
    expect(suspectsOf(tracked(about), NOTHING)).toMatchObject({ kind: 'calls', open: [about] });
  });

  test('is of no call where none is open, and may be of one that was given up', () => {
    const tracker = tracked(call(1, 'A'));
    tracker.onSettled(tracker.find(1)!);
    expect(suspectsOf(tracker, NOTHING)).toMatchObject({ kind: 'outside', open: [], left: new Map([[1, 'A']]) });
  });
});

describe('a question that comes on the stream of a request', () => {
  const [one, other] = [call(1, 'A'), call(2, 'B')];

  test('is of the call that the request is', () => {
    const origin = suspectsOf(tracked(one, other), { task: undefined, of: 2, isPending: () => true });
    expect(origin).toMatchObject({ kind: 'calls', open: [other], isNamed: true });
  });

  test.each([
    [true, 'outside'],
    [false, 'calls'],
  ])('is of no client where the request is the own one of the gateway: %s', (isPending, kind) => {
    const origin = suspectsOf(tracked(one), { task: undefined, of: 9, isPending: () => isPending });
    expect(origin).toMatchObject({ kind, open: [], isNamed: true });
    expect(origin.left.size).toBe(0);
  });
});

describe('a question of a task', () => {
  const waiting = resultOf(1, 'A', 'x');
  const calls = [waiting, resultOf(2, 'B', 'x'), resultOf(3, 'A', 'y'), call(4, 'A')];
  const ofTask = (sessionId: string | undefined, ...open: SuspectCall[]) =>
    suspectsOf(tracked(...open), { ...NOTHING, task: { ownId: 'x', sessionId } });

  test('is of the request by which its owner waits for its result', () => {
    expect(ofTask('A', ...calls)).toMatchObject({ kind: 'calls', open: [waiting], isNamed: true });
  });

  test('is for its owner where that does not wait', () => {
    expect(ofTask('C', ...calls)).toMatchObject({ kind: 'task-owner', open: [], isNamed: true });
  });

  test('of an unknown owner is of who waits for it, or of a call that has begun a task', () => {
    const begins = call(5, 'D', 'tools/call', { name: 't', task: {} });
    expect(ofTask(undefined, waiting, call(4, 'A'), begins)).toMatchObject({ kind: 'calls', open: [waiting, begins] });
  });
});
