import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import type { EndedCall } from '../../../src/core/providers/call-audit.ts';
import type { Caller, ClientAsk, Descriptor, Provider } from '../../../src/core/providers/provider.ts';
import { AuditedCall } from '../../../src/router/audited-call.ts';
import type { CallText } from '../../../src/wire/edits/call-text.ts';
import { resultReply } from '../../../src/wire/reply.ts';

const REPLY = resultReply({ content: [] });

/** An audited call; `seen` has what its caller and the audit were told, in order. */
function audited() {
  const seen: unknown[][] = [];
  const ended: EndedCall[] = [];
  const withdraw = () => undefined;
  const caller = {
    sessionId: 's',
    client: { clientId: 'c' },
    onReply: (reply: unknown) => seen.push(['reply', reply]),
    onFailure: (error: unknown) => seen.push(['failure', error]),
    ask: (ask: unknown) => {
      seen.push(['ask', ask]);
      return withdraw;
    },
  } as unknown as Caller;
  const audit = {
    isOn: true,
    onCallEnded: (call: EndedCall) => {
      ended.push(call);
      seen.push(['audit', call.ending]);
      call.deliver();
    },
  };
  return { call: new AuditedCall({ target: 't' } as CallText, caller, audit), seen, ended, withdraw };
}

test('the audit has the call before the caller has its answer', () => {
  const { call, seen } = audited();
  call.onReply(REPLY);
  expect(seen).toEqual([
    ['audit', REPLY],
    ['reply', REPLY],
  ]);
});

test('an answer that comes after the end is given to the caller, and the audit hears nothing', () => {
  const { call, seen } = audited();
  const error = new GatewayError('UPSTREAM_TIMEOUT', 'too slow');
  call.cancel();
  call.onReply(REPLY);
  call.onFailure(error);
  expect(seen).toEqual([
    ['audit', 'cancelled'],
    ['reply', REPLY],
    ['failure', error],
  ]);
});

test('the audit is told of a failure before the caller is', () => {
  const { call, seen } = audited();
  const error = new GatewayError('UPSTREAM_TIMEOUT', 'too slow');
  call.onFailure(error);
  expect(seen).toEqual([
    ['audit', error],
    ['failure', error],
  ]);
});

test('the audit gets the call once, with whom it was for and how long it took', () => {
  const { call, ended } = audited();
  const [provider, descriptor] = [{ id: 'p' } as Provider, { text: 'd' } as Descriptor];
  const before = Date.now();
  call.onRoute(provider, descriptor);
  call.onReply(REPLY);
  call.cancel();
  expect(ended).toHaveLength(1);
  const [record] = ended;
  expect([record!.provider, record!.descriptor, record!.ending]).toEqual([provider, descriptor, REPLY]);
  expect(record!.text.target).toBe('t');
  expect(record!.client.clientId).toBe('c');
  expect(record!.durationMs).toBeGreaterThan(0);
  expect(record!.durationMs).toBeLessThan(60_000);
  expect(record!.at).toBeLessThanOrEqual(before);
});

test('a cancelled call is cancelled at its provider, and its caller hears nothing', () => {
  const { call, seen } = audited();
  const reasons: unknown[] = [];
  call.running = { cancel: (reason) => reasons.push(reason) };
  call.cancel('"gone"');
  expect([reasons, seen]).toEqual([['"gone"'], [['audit', 'cancelled']]]);
});

test('questions reach the caller, and can be withdrawn there', () => {
  const { call, seen, withdraw } = audited();
  const ask = {} as ClientAsk;
  expect(call.ask(ask)).toBe(withdraw);
  expect(seen).toEqual([['ask', ask]]);
});
