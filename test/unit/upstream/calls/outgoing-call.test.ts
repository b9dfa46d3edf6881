import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutgoingCall } from '../../../../src/upstream/calls/outgoing-call.ts';
import { callOf, KeepingCaller, NO_ELICITATIONS } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { linkTo } from '../links.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const UNHEARD = { code: 'UPSTREAM_EXITED', reason: 'expired', effect: 'none', isUnheard: true } as const;

function open() {
  const caller = new KeepingCaller('A');
  const call = new OutgoingCall(
    callOf('t', '{}', caller),
    { ...entryOf({}).timeouts, callMs: 1_000 },
    {
      upstream: 'up',
      elicitations: NO_ELICITATIONS,
      onSent: () => undefined,
      onSettled: () => undefined,
      onReturned: () => undefined,
      lastWords: () => '',
      readTools: async () => undefined,
      publicReply: (_call, reply) => reply,
    },
  );
  return { call, codes: () => caller.failures.map(({ code }) => code) };
}

test('time stands still while a client is asked, until its last question is answered', () => {
  const { call, codes } = open();
  call.send(linkTo({}));
  call.pauseClock();
  call.pauseClock();
  call.resumeClock();
  vi.advanceTimersByTime(5_000);
  expect(codes()).toEqual([]);
  call.resumeClock();
  vi.advanceTimersByTime(1_100);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT']);
});

test('time stands still for a call that is sent anew while its client is asked, and runs once it has answered', () => {
  const { call, codes } = open();
  const expired = linkTo({});
  call.send(expired);
  call.pauseClock();
  expired.receiver.onRequestFailed(call.requestId, UNHEARD);
  call.send(linkTo({}));
  vi.advanceTimersByTime(5_000);
  expect(codes()).toEqual([]);
  call.resumeClock();
  vi.advanceTimersByTime(1_100);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT']);
});
