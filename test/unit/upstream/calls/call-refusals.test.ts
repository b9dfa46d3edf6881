import { expect, test, vi } from 'vitest';
import { CallRefusals } from '../../../../src/upstream/calls/call-refusals.ts';
import type { ConnectionState } from '../../../../src/upstream/connection/machine.ts';
import { entryOf } from '../entries.ts';

function refusalsIn(state: object, restart: 'always' | 'on-demand' = 'always') {
  const host = {
    entry: entryOf({ restart }),
    againHint: 'Again',
    state: () => ({ since: 0, ...state }) as ConnectionState,
  };
  return new CallRefusals(host);
}

test.each(['idle', 'ready', 'waiting', 'starting'])('an upstream that is %s takes calls, or lets them wait', (name) => {
  expect([refusalsIn({ name }).now(), refusalsIn({ name }).ofHeld()]).toEqual([undefined, undefined]);
});

test.each([
  ['crash-loop', 'UPSTREAM_CRASH_LOOP', 'up: why; it ended too often and stays off. Again'],
  ['needs-auth', 'UPSTREAM_NEEDS_AUTH', 'up: why'],
  ['failed', 'UPSTREAM_NOT_CONNECTED', 'up: not connected: why. Again'],
  ['stopped', 'UPSTREAM_NOT_CONNECTED', 'up: not connected: why. Again'],
])('one that is in the state %s says so, and that the call had no effect', (name, code, message) => {
  expect(refusalsIn({ name, reason: 'why' }).now()).toMatchObject({
    code,
    message,
    detail: { upstream: 'up', effect: 'none' },
  });
});

test('one that is started on demand takes calls after it has stopped, unless somebody stopped it', () => {
  const stopped = { name: 'stopped', reason: 'why' };
  expect(refusalsIn(stopped, 'on-demand').now()).toBeUndefined();
  expect(refusalsIn({ ...stopped, byHand: true }, 'on-demand').now()).toBeDefined();
  expect(refusalsIn(stopped, 'on-demand').ofHeld()?.message).toBe('up: not connected: why');
});

test('one that is tried again within five seconds lets calls wait; else it says when', () => {
  vi.setSystemTime(0);
  const backoff = (retryAt: number) => refusalsIn({ name: 'backoff', reason: 'why', retryAt }).now();
  expect(backoff(5_000)).toBeUndefined();
  expect(backoff(5_001)).toMatchObject({ message: 'up: why; restarting', detail: { retryAfterMs: 5_001 } });
  vi.useRealTimers();
});
