import { expect, test } from 'vitest';
import type { ClientFacts } from '../../../../src/core/providers/provider.ts';
import { CallOutput } from '../../../../src/session/modern/call-output.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import type { NotificationMessage, RequestMessage } from '../../../../src/wire/message.ts';
import { resultReply } from '../../../../src/wire/reply.ts';
import { logMessage } from '../legacy/setup.ts';
import { Asked, read } from '../modern-setup.ts';

function request(id: number, { logLevel, token }: { logLevel?: string; token?: string } = {}) {
  const _meta = token === undefined ? {} : { progressToken: token };
  const json = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't', _meta } };
  const text = readCallText(read<RequestMessage>(JSON.stringify(json))) as CallText;
  return { text, exchange: new Asked(id), client: { logLevel, clientId: `c${id}` } as ClientFacts };
}

const open = (first: ReturnType<typeof request>) => new CallOutput(first, 's', { serverInfo: () => undefined });
const levels = ({ events }: Asked) => events.map(({ params }) => (params as { level: string }).level);

test('log messages pass from the level on that the request asks for, and not at all where it asks for none', () => {
  const [asking, silent] = [request(1, { logLevel: 'warning' }), request(2)];
  for (const one of [asking, silent])
    for (const level of ['info', 'warning', 'error']) open(one).onNotification(logMessage(level));
  expect([levels(asking.exchange), levels(silent.exchange)]).toEqual([['warning', 'error'], []]);
});

test('notifications of the legacy era do not pass', () => {
  const first = request(1);
  const notify = (method: string) =>
    open(first).onNotification(read<NotificationMessage>(JSON.stringify({ jsonrpc: '2.0', method, params: {} })));
  notify('notifications/elicitation/complete');
  notify('notifications/tasks/status');
  notify('notifications/other');
  expect(first.exchange.events.map(({ method }) => method)).toEqual(['notifications/other']);
});

test('progress has the token of the request; one without a token gets none', () => {
  const json = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1}}';
  const start = json.indexOf('5');
  const [with_, without] = [request(1, { token: 'mine' }), request(2)];
  for (const one of [with_, without]) open(one).onProgress(Frame.of(Buffer.from(json)), { start, end: start + 1 });
  expect(with_.exchange.events).toMatchObject([{ params: { progressToken: 'mine', progress: 1 } }]);
  expect(without.exchange.events).toEqual([]);
});

test('while a call is parked the newest messages are kept, and told once when its client is back', async () => {
  const [first, second] = [request(1, { logLevel: 'debug' }), request(2, { logLevel: 'debug' })];
  const output = open(first);
  output.park(resultReply({ resultType: 'input_required' }));
  expect([output.isOpen, await first.exchange.answered]).toMatchObject([false, { id: 1 }]);
  for (const level of ['alert', ...Array.from({ length: 32 }, () => 'info')]) output.onNotification(logMessage(level));
  expect(first.exchange.events).toEqual([]);
  output.reopen(second);
  expect([output.isOpen, output.client.clientId]).toEqual([true, 'c2']);
  expect(levels(second.exchange)).toEqual(Array.from({ length: 32 }, () => 'info'));
  const third = request(3, { logLevel: 'debug' });
  output.reopen(third);
  expect([second.exchange.events.length, third.exchange.events.length]).toEqual([32, 0]);
});

test('answers and abandons go to the request that is open', async () => {
  const [first, second] = [request(1), request(2)];
  const output = open(first);
  output.park(resultReply({}));
  output.abandon();
  output.keepAnswer(resultReply({ kept: true }));
  output.reopen(second);
  output.reply(output.keptAnswer!, 418);
  expect(await second.exchange.answered).toMatchObject({ id: 2, result: { kept: true } });
  output.abandon();
  expect([first.exchange.isAbandoned, second.exchange.isAbandoned, second.exchange.status]).toEqual([false, true, 418]);
});
