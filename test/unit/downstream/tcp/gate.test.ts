import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../../src/core/timing/token-bucket.ts';
import { Gate, type GateOptions } from '../../../../src/downstream/tcp/gate.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type Message, readMessage } from '../../../../src/wire/message.ts';

const read = (message: object): Message => readMessage(Frame.of(Buffer.from(JSON.stringify(message))));
const REQUEST = read({ jsonrpc: '2.0', id: 1, method: 'ping' });
const NOTIFICATION = read({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
const ANSWER = read({ jsonrpc: '2.0', id: 1, result: {} });

function credentialOf(id: string, expiresAt = Number.POSITIVE_INFINITY): GateOptions['credential'] {
  return { principal: { id, name: id }, expiresAt };
}

function gateOf(options: Partial<GateOptions> = {}): Gate {
  return new Gate({
    credential: credentialOf(''),
    address: '192.0.2.1',
    id: 'connection',
    rates: () => undefined,
    ...options,
  });
}

/** So many requests for ever: the time stands still. */
function ratesOf(capacity: number): GateOptions['rates'] {
  const buckets = new TokenBuckets(
    () => ({ capacity, perMinute: 1 }),
    () => 0,
  );
  return () => buckets;
}

const isPassed = (gate: Gate, message = REQUEST): boolean => !('refused' in gate.pass(message));

test('messages of all kinds pass, without what is for the gateway alone', () => {
  for (const message of [REQUEST, NOTIFICATION, ANSWER]) expect(gateOf().pass(message)).toBe(message);
  const params = { _meta: { 'viaduct/authorization': 'Bearer secret' } };
  const passed = gateOf().pass(read({ jsonrpc: '2.0', id: 1, method: 'ping', params })) as Message;
  expect(toBuffer(passed.frame.bytes()).toString()).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{}}}',
  );
});

test('with a token that has expired, requests are refused, and the calls that run can still be answered', () => {
  const gate = gateOf({ credential: credentialOf('token', Date.now() - 1) });
  expect(gate.pass(REQUEST)).toMatchObject({
    refused: { code: -32600, message: expect.stringContaining('has expired') },
  });
  expect([NOTIFICATION, ANSWER].map((message) => isPassed(gate, message))).toEqual([true, true]);
});

test('requests over the rate are refused with the time to wait; nothing else is counted', () => {
  const gate = gateOf({ rates: ratesOf(1), credential: credentialOf('a') });
  for (const message of [NOTIFICATION, ANSWER, REQUEST]) expect(isPassed(gate, message)).toBe(true);
  expect(gate.pass(REQUEST)).toMatchObject({ refused: { code: -32603, data: { retryAfterMs: expect.any(Number) } } });
});

test('the connections of one principal are counted together, those of others by themselves', () => {
  const rates = ratesOf(2);
  const [one, two, other] = ['a', 'a', 'b'].map((id, index) =>
    gateOf({ rates, credential: credentialOf(id), id: `connection ${index}` }),
  );
  expect([one, two, one, other].map((gate) => isPassed(gate!))).toEqual([true, true, false, true]);
});

test('first requests of one address are counted together, later ones by connection', () => {
  const rates = ratesOf(2);
  const [one, two, three] = [1, 2, 3].map((id) => gateOf({ rates, id: `connection ${id}` }));
  expect([one, two, three].map((gate) => isPassed(gate!))).toEqual([true, true, false]);
  expect([one, one, one, two].map((gate) => isPassed(gate!))).toEqual([true, true, false, true]);
});
