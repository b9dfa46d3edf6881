import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionState } from '../../../src/upstream/machine.ts';
import { UpstreamCalls } from '../../../src/upstream/upstream-calls.ts';
import { callOf, KeepingCaller } from './calls.ts';
import { entryOf } from './entries.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Calls to an upstream without a connection, whose state is set by hand. */
function open(restart: 'always' | 'on-demand' | 'never', state: ConnectionState) {
  let present = state;
  let wanted = 0;
  const calls = new UpstreamCalls({
    entry: entryOf({ restart }),
    oneAtATimeBy: [],
    state: () => present,
    link: () => undefined,
    want: () => {
      wanted++;
    },
    ownAnswer: () => undefined,
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
