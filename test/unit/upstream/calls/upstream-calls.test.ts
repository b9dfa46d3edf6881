import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UpstreamCalls } from '../../../../src/upstream/calls/upstream-calls.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import type { ConnectionState } from '../../../../src/upstream/connection/machine.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { linkTo } from '../links.ts';

const SHARED_BY_ALL = {
  elicitations: NO_ELICITATIONS,
  isSerial: () => false,
  isRenewable: () => false,
  renew: () => undefined,
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Calls to an upstream without a connection, whose state is set by hand. */
function open(restart: 'always' | 'on-demand' | 'never', state: ConnectionState) {
  let present = state;
  let wanted = 0;
  const calls = new UpstreamCalls({
    entry: entryOf({ restart }),
    oneAtATimeBy: [],
    againHint: 'To start it again: viaduct sync u',
    lastWords: () => '',
    ...SHARED_BY_ALL,
    state: () => present,
    link: () => undefined,
    want: () => {
      wanted++;
    },
    readTools: () => Promise.resolve(),
    ownAnswer: () => undefined,
    publicReply: (_call, reply) => reply,
    onSettled: () => undefined,
  });
  const caller = new KeepingCaller('A');
  const call = () => calls.call(callOf('t', '{}', caller));
  const become = (next: ConnectionState) => {
    present = next;
    calls.onStateChange();
  };
  return { calls, caller, call, become, wanted: () => wanted };
}

const starting: ConnectionState = { name: 'starting', since: 0, attempt: 1 };
const failures = ({ failures: list }: KeepingCaller) => list.map(({ code, message }) => `${code} ${message}`);

describe('a call while there is no connection', () => {
  test.each([
    ['never', { name: 'stopped', since: 0, reason: 'process exited (code 1)', byHand: false }],
    ['on-demand', { name: 'stopped', since: 0, reason: 'process exited (code 1)', byHand: false }],
    ['always', { name: 'failed', since: 0, reason: 'process exited (code 1)' }],
    ['always', { name: 'crash-loop', since: 0, reason: 'process exited (code 1)' }],
    ['always', { name: 'needs-auth', since: 0, reason: 'process exited (code 1)' }],
  ] as const)('restart: %s: is answered as soon as the start has failed: %j', (restart, after) => {
    const { caller, call, become, wanted } = open(restart, starting);
    call();
    expect([wanted(), failures(caller)]).toEqual([1, []]);
    become(after);
    expect(failures(caller)).toEqual([expect.stringContaining('process exited (code 1)')]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('waits for a retry that is near, and not for one that is far', () => {
    vi.setSystemTime(0);
    const backoff = (retryAt: number): ConnectionState => ({
      name: 'backoff',
      since: 0,
      attempt: 1,
      retryAt,
      reason: 'lost',
    });
    const near = open('always', starting);
    near.call();
    near.become(backoff(5_000));
    expect(failures(near.caller)).toEqual([]);
    near.become(backoff(5_001));
    expect(near.caller.failures.map(({ detail }) => detail.retryAfterMs)).toEqual([5_001]);
  });

  test('is told to come back when the start takes too long, and is forgotten when it is cancelled', () => {
    const { calls, caller, call } = open('always', starting);
    call();
    call().cancel();
    expect(calls.counts).toEqual({ open: 0, waiting: 1 });
    vi.advanceTimersByTime(30_000);
    expect(failures(caller)).toEqual(['UPSTREAM_NOT_CONNECTED up: it is still starting; try again in a moment']);
    expect(calls.counts).toEqual({ open: 0, waiting: 0 });
  });
});

describe('a call that waits for its turn', () => {
  /** An upstream that is connected, takes one call at a time, and never answers. */
  function connected({ isSerial = false } = {}) {
    const sent: string[] = [];
    const link = linkTo({ send: (bytes) => sent.push(toBuffer(bytes).toString()) });
    const entry = entryOf({ maxConcurrency: 1 });
    const calls = new UpstreamCalls({
      entry: { ...entry, timeouts: { ...entry.timeouts, callMs: 60_000 } },
      oneAtATimeBy: ['tab'],
      againHint: '',
      lastWords: () => '',
      ...SHARED_BY_ALL,
      isSerial: () => isSerial,
      state: () => ({ name: 'ready', since: 0 }),
      link: () => link,
      want: () => undefined,
      ownAnswer: () => undefined,
      publicReply: (_call, reply) => reply,
      readTools: async () => undefined,
      onSettled: () => undefined,
    });
    const callers: KeepingCaller[] = [];
    const call = () => {
      const caller = new KeepingCaller('A');
      callers.push(caller);
      return calls.call(callOf('t', '{}', caller));
    };
    /** Its client is asked something: it may take as long as it likes. */
    const pause = (running: ReturnType<typeof call>) => running.pauseClock();
    return { calls, callers, call, pause, sent };
  }

  test('is answered when it has waited for as long as a call may be silent, and was not sent', () => {
    const { calls, callers, call, pause, sent } = connected();
    pause(call());
    call();
    expect(calls.counts).toEqual({ open: 1, waiting: 1 });
    vi.advanceTimersByTime(59_999);
    expect(failures(callers[1]!)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(failures(callers[1]!)).toEqual([
      'OVERLOADED up: the call waited 60 s for its turn behind others and was not sent (maxConcurrency: 1)',
    ]);
    expect(callers[1]!.failures[0]!.detail).toMatchObject({ upstream: 'up', effect: 'none', retryAfterMs: 5_000 });
    expect([calls.counts, sent.length]).toEqual([{ open: 1, waiting: 0 }, 1]);
  });

  test('leaves at once when it is cancelled; those behind it keep their turn', async () => {
    const { calls, callers, call, pause, sent } = connected();
    const first = call();
    pause(first);
    const second = call();
    call();
    second.cancel();
    expect(calls.counts).toEqual({ open: 1, waiting: 1 });
    first.cancel();
    await vi.advanceTimersByTimeAsync(0);
    expect([calls.counts, sent.filter((text) => text.includes('tools/call')).length]).toEqual([
      { open: 1, waiting: 0 },
      2,
    ]);
    expect(callers[1]!.failures).toEqual([]);
  });

  test.each([
    ['for room', { isSerial: false }, '{}'],
    ['behind a call on the same thing', { isSerial: false }, '{"tab":1}'],
    ['behind another client', { isSerial: true }, '{}'],
  ])('is not kept when it is cancelled: %s', async (_why, options, args) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const { calls } = connected(options);
    calls.call(callOf('t', args, new KeepingCaller('A')));
    calls.call(callOf('t', args, new KeepingCaller('B')));
    const cancelled: WeakRef<object>[] = [];
    for (let count = 0; count < 100; count++) {
      const waiting = calls.call(callOf('t', args, new KeepingCaller('B')));
      cancelled.push(new WeakRef(waiting));
      waiting.cancel();
    }
    await vi.advanceTimersByTimeAsync(1);
    collectGarbage();
    const kept = cancelled.filter((waiting) => waiting.deref() !== undefined);
    // The engine may hold on to the newest one.
    expect(kept.length).toBeLessThanOrEqual(1);
    expect(calls.counts).toEqual({ open: 1, waiting: 1 });
  });

  test('is not held to that time any more once it is sent', async () => {
    const { callers, call, pause } = connected();
    const first = call();
    pause(first);
    const second = call();
    vi.advanceTimersByTime(59_000);
    first.cancel();
    await vi.advanceTimersByTimeAsync(0);
    pause(second);
    vi.advanceTimersByTime(10_000);
    expect(callers[1]!.failures).toEqual([]);
  });
});

function callsOver(link: () => Link): UpstreamCalls {
  return new UpstreamCalls({
    entry: entryOf(),
    oneAtATimeBy: [],
    againHint: 'To start it again: viaduct sync u',
    lastWords: () => '',
    ...SHARED_BY_ALL,
    state: () => ({ name: 'ready', since: 0 }),
    link,
    want: () => undefined,
    readTools: async () => undefined,
    ownAnswer: () => undefined,
    publicReply: (_call, reply) => reply,
    onSettled: () => undefined,
  });
}

test('a call that the upstream has not heard goes out at once where another connection is there already', () => {
  const sent: string[][] = [[], []];
  const links = [0, 1].map((index) => linkTo({ send: (bytes) => sent[index]!.push(toBuffer(bytes).toString()) }));
  let present = links[0]!;
  const calls = callsOver(() => present);
  const caller = new KeepingCaller('A');
  const call = calls.call(callOf('t', '{}', caller));
  links[0]!.retire({ reason: 'its session has expired' }, () => undefined);
  present = links[1]!;
  const refusal = {
    code: 'UPSTREAM_EXITED',
    reason: 'its session has expired',
    effect: 'none',
    isUnheard: true,
  } as const;
  links[0]!.receiver.onRequestFailed(call.requestId, refusal);
  expect(sent.map((messages) => messages.length)).toEqual([1, 1]);
  expect([caller.failures, calls.counts]).toEqual([[], { open: 1, waiting: 0 }]);
  call.cancel();
});

test.each([
  ['a result of an unknown type', { result: { resultType: 'x'.repeat(100_000) } }],
  ['an error that repeats its words', { error: { code: -32022, message: 'x'.repeat(100_000) } }],
  [
    'names of capabilities',
    { error: { code: -32021, message: 'x', data: { requiredCapabilities: { ['x'.repeat(100_000)]: {} } } } },
  ],
  [
    'questions that are none',
    { result: { resultType: 'input_required', inputRequests: { ['x'.repeat(100_000)]: 1 } } },
  ],
])('the words of a modern server are cut where they stand in an error of ours: %s', (_what, answer) => {
  const sent: { id: number }[] = [];
  const link = linkTo({ send: (bytes) => sent.push(JSON.parse(toBuffer(bytes).toString())) });
  link.speakModern('"x":1');
  const calls = callsOver(() => link);
  const caller = new KeepingCaller('A');
  calls.call(callOf('t', '{}', caller));
  link.receiver.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: sent[0]!.id, ...answer }))));
  const said = [
    ...caller.failures.map(({ message }) => message),
    ...caller.replies.map((reply) => toBuffer(reply.withId('1')).toString()),
  ];
  expect(said).toHaveLength(1);
  expect(said[0]!.length).toBeLessThan(1_200);
});
