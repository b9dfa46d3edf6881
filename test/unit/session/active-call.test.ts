import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import type { ClientAsk, ClientFacts } from '../../../src/core/providers/provider.ts';
import { ActiveCall, type ActiveCallHost } from '../../../src/session/active-call.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import type { RequestMessage } from '../../../src/wire/message.ts';
import { resultReply } from '../../../src/wire/reply.ts';
import { logMessage } from './legacy/setup.ts';
import { Asked, read } from './modern-setup.ts';

function active({ token, wants = true }: { token?: string; wants?: boolean } = {}) {
  const _meta = token === undefined ? {} : { progressToken: token };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', _meta } };
  const text = readCallText(read<RequestMessage>(JSON.stringify(json))) as CallText;
  const exchange = new Asked(1);
  const ended: ActiveCall[] = [];
  const asked: unknown[][] = [];
  const host: ActiveCallHost = {
    id: 's',
    facts: { clientId: 'c' } as ClientFacts,
    onCallEnded: (call) => ended.push(call),
    ask: (...asking) => {
      asked.push(asking);
      return () => undefined;
    },
    wantsNotification: () => wants,
  };
  return { call: new ActiveCall('1', text, host, exchange), exchange, ended, asked };
}

const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}';

function progress(call: ActiveCall): void {
  const start = PROGRESS.indexOf('9,');
  call.onProgress(read<RequestMessage>(PROGRESS).frame, { start, end: start + 1 });
}

test('progress goes to the client under its own token while the call runs', () => {
  const { call, exchange } = active({ token: 'mine' });
  progress(call);
  call.onReply(resultReply({}));
  progress(call);
  expect(exchange.events).toMatchObject([{ params: { progressToken: 'mine', progress: 1 } }]);
});

test('a client that did not ask for progress gets none', () => {
  const { call, exchange } = active();
  progress(call);
  expect(exchange.events).toEqual([]);
});

test('notifications reach a client that wants them while the call runs', () => {
  const wanting = active();
  wanting.call.onNotification(logMessage('error'));
  wanting.call.onReply(resultReply({}));
  wanting.call.onNotification(logMessage('error'));
  const other = active({ wants: false });
  other.call.onNotification(logMessage('error'));
  expect([wanting.exchange.events.length, other.exchange.events.length]).toEqual([1, 0]);
});

test('a call ends once: by its answer, a failure or a cancel', () => {
  const { call, exchange, ended } = active();
  const reasons: unknown[] = [];
  call.running = { cancel: (reason) => reasons.push(reason) };
  call.onReply(resultReply({}));
  call.onFailure(new GatewayError('UPSTREAM_TIMEOUT', 'late'));
  call.cancel('"gone"');
  expect([exchange.replies, exchange.isAbandoned, ended, reasons]).toEqual([1, false, [call], []]);
});

test('a failure is answered', async () => {
  const { call, exchange, ended } = active();
  call.onFailure(new GatewayError('UPSTREAM_TIMEOUT', 'too slow'));
  expect(JSON.stringify(await exchange.answered)).toContain('too slow');
  expect(ended).toEqual([call]);
});

test('a cancelled call is cancelled at its provider, and its request is given up', () => {
  const { call, exchange, ended } = active();
  const reasons: unknown[] = [];
  call.running = { cancel: (reason) => reasons.push(reason) };
  call.cancel('"gone"');
  call.onReply(resultReply({}));
  expect([exchange.replies, exchange.isAbandoned, ended, reasons]).toEqual([0, true, [call], ['"gone"']]);
});

test('questions go to the client while the call runs, and fail afterwards', () => {
  const { call, exchange, asked } = active();
  const failures: string[] = [];
  const ask = { onFailure: ({ code }: GatewayError) => failures.push(code) } as unknown as ClientAsk;
  call.ask(ask);
  expect(asked).toEqual([[ask, exchange]]);
  call.onReply(resultReply({}));
  call.ask(ask);
  expect([asked.length, failures]).toEqual([1, ['CALL_CANCELLED']]);
});
