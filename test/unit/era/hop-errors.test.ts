import { expect, test } from 'vitest';
import { hopErrorIn } from '../../../src/era/hop-errors.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type ResponseMessage, readMessage } from '../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../src/wire/reply.ts';

function hopError(error: string) {
  const message = readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,"error":${error}}`))) as ResponseMessage;
  return hopErrorIn((relayedReply(message, true) as Reply).source!);
}

test.each([
  ['{"code":-32020,"message":"header"}', { kind: 'header-mismatch', message: 'header' }],
  ['{"code":-32022,"message":"version","data":{"supported":["x"]}}', { kind: 'own-fault', message: 'version' }],
  [
    '{"code":-32021,"message":"m","data":{"requiredCapabilities":{"elicitation":{"url":{},"form":{}},"roots":{}}}}',
    { kind: 'missing-capability', names: ['elicitation.url', 'elicitation.form', 'roots'] },
  ],
  ['{"code":-32021,"message":"m"}', { kind: 'missing-capability', names: [] }],
  [
    '{"code":-32021,"message":"m","data":{"requiredCapabilities":["roots"]}}',
    { kind: 'missing-capability', names: [] },
  ],
  // Only the beginning of a long string is checked when it arrives.
  [`{"code":-32021,"message":"m","data":{"x":"${'x'.repeat(5_000)}\\x"}}`, { kind: 'missing-capability', names: [] }],
  ['{"code":-32602,"message":"m"}', undefined],
  ['{"code":-32002,"message":"-32021"}', undefined],
])('%s', (error, expected) => {
  expect(hopError(error)).toEqual(expected);
});
