import { expect, test } from 'vitest';
import type { ClientAsk } from '../../../src/core/providers/provider.ts';
import { ActiveCall } from '../../../src/session/active-call.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import type { NotificationMessage, RequestMessage } from '../../../src/wire/message.ts';
import { resultReply } from '../../../src/wire/reply.ts';
import { Asked, read } from './modern-setup.ts';

const LOG = read<NotificationMessage>('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}');

/** A call whose client names a token for its progress, if one is given. */
function open({ token, wantsLog = true }: { token?: string; wantsLog?: boolean } = {}) {
  const meta = token === undefined ? '' : `,"_meta":{"progressToken":${token}}`;
  const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"${meta}}}`;
  const exchange = new Asked(1);
  const ended: ActiveCall[] = [];
  const asked: ClientAsk[] = [];
  const host = {
    id: 's',
    facts: {} as never,
    onCallEnded: (call: ActiveCall) => void ended.push(call),
    ask: (ask: ClientAsk) => {
      asked.push(ask);
      return () => undefined;
    },
    wantsNotification: () => wantsLog,
  };
  const call = new ActiveCall('1', readCallText(read<RequestMessage>(json)) as CallText, host, exchange);
  const progress = () => {
    const text = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}';
    const start = text.indexOf('77');
    call.onProgress(Frame.of(Buffer.from(text)), { start, end: start + 2 });
  };
  return { call, exchange, ended, asked, progress };
}

test('progress reaches the client under its own token, until the call has ended', () => {
  const { call, exchange, progress } = open({ token: '"mine"' });
  progress();
  expect(exchange.events).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } },
  ]);
  call.onReply(resultReply({}));
  progress();
  expect(exchange.events).toHaveLength(1);
});

test('a client that has named no token hears of no progress', () => {
  const { exchange, progress } = open();
  progress();
  expect(exchange.events).toEqual([]);
});

test('a log message reaches the client until the call has ended, if the client wants it', () => {
  const { call, exchange } = open();
  call.onNotification(LOG);
  expect(exchange.events).toEqual([{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } }]);
  call.onReply(resultReply({}));
  call.onNotification(LOG);
  expect(exchange.events).toHaveLength(1);
  const other = open({ wantsLog: false });
  other.call.onNotification(LOG);
  expect(other.exchange.events).toEqual([]);
});

test('a cancelled call is cancelled at its provider and abandoned once; no answer follows', () => {
  const { call, exchange, ended } = open();
  const reasons: (string | undefined)[] = [];
  call.running = { cancel: (reason?: unknown) => void reasons.push(reason as string) };
  call.cancel('"enough"');
  call.cancel('"again"');
  call.onReply(resultReply({}));
  expect([reasons, exchange.isAbandoned, exchange.replies, ended]).toEqual([['"enough"'], true, 0, [call]]);
});

test('a question goes to the client while the call is open', () => {
  const { call, asked } = open();
  call.ask({} as ClientAsk);
  expect(asked).toHaveLength(1);
});
