import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import { CallDispatch, type CallDispatchHost } from '../../../../src/upstream/calls/call-dispatch.ts';
import type { OutgoingCall } from '../../../../src/upstream/calls/outgoing-call.ts';
import type { Link } from '../../../../src/upstream/connection/link.ts';
import { resultReply } from '../../../../src/wire/reply.ts';

/** A step whose surroundings are as they should be, but for `changes`; what it does with one call. */
function dispatched(changes: Partial<CallDispatchHost> = {}): string[] {
  const done: string[] = [];
  const call = {
    owner: 'A',
    call: {},
    send: () => done.push('sent'),
    fail: ({ code }: GatewayError) => done.push(code),
    answer: () => done.push('answered'),
  } as unknown as OutgoingCall;
  const dispatch = new CallDispatch({
    tracker: { size: 0, isTaintedFor: (owner) => owner === 'A' },
    refusals: {
      now: () => undefined,
      overloaded: (text) => new GatewayError('OVERLOADED', text),
    },
    link: () => linkOf(),
    isRenewable: () => false,
    renew: () => done.push('renewed'),
    ownAnswer: () => undefined,
    takeBack: () => done.push('taken back'),
    ...changes,
  });
  dispatch.dispatch(call);
  return done;
}

const linkOf = (facts: Partial<Link> = {}) => ({ isExpired: false, queuedBytes: 0, ...facts }) as Link;

test('a call is sent on the connection that is there', () => {
  expect(dispatched()).toEqual(['sent']);
  expect(dispatched({ link: () => linkOf({ queuedBytes: 8 * 1024 * 1024 }) })).toEqual(['sent']);
});

test.each([
  ['none', undefined],
  ['one whose session has expired', linkOf({ isExpired: true })],
])('without a connection it is taken back, or refused where there will be none: %s', (_what, link) => {
  const refused = new GatewayError('UPSTREAM_CRASH_LOOP', 'x');
  expect(dispatched({ link: () => link })).toEqual(['taken back']);
  const refusals = { now: () => refused, overloaded: () => refused };
  expect(dispatched({ link: () => link, refusals })).toEqual(['UPSTREAM_CRASH_LOOP']);
});

test('an upstream that does not read gets no more', () => {
  expect(dispatched({ link: () => linkOf({ queuedBytes: 8 * 1024 * 1024 + 1 }) })).toEqual(['OVERLOADED']);
});

test.each([
  ['open calls keep it', { isRenewable: () => true, tracker: { size: 1, isTaintedFor: () => true } }, ['sent']],
  [
    'nobody else has given up a call',
    { isRenewable: () => true, tracker: { size: 0, isTaintedFor: () => false } },
    ['sent'],
  ],
  ['it may not be replaced', { isRenewable: () => false }, ['sent']],
  ['another client has given up a call', { isRenewable: () => true }, ['renewed', 'taken back']],
])('a connection is replaced only where a question on it could be for another client: %s', (_why, changes, done) => {
  expect(dispatched(changes)).toEqual(done);
});

test('what the upstream is not asked is answered, also with a failure', async () => {
  const done = dispatched({ ownAnswer: () => Promise.resolve(resultReply({})) });
  const failed = dispatched({ ownAnswer: () => Promise.reject(new GatewayError('UPSTREAM_TIMEOUT', 'x')) });
  await Promise.resolve();
  await Promise.resolve();
  expect([done, failed]).toEqual([['answered'], ['UPSTREAM_TIMEOUT']]);
});
