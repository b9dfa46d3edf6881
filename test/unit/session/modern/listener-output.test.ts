import { expect, test } from 'vitest';
import { ListenerOutput } from '../../../../src/session/modern/listener-output.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { Asked } from '../modern-setup.ts';

const STAMP = 'io.modelcontextprotocol/subscriptionId';
const message = (n: number) => `{"jsonrpc":"2.0","method":"n/${n}"}`;
const methods = ({ events }: Asked) => events.map(({ method }) => method);

test('the acknowledgement comes first; of what came before it the first 64 follow', () => {
  const exchange = new Asked(1);
  const output = new ListenerOutput(exchange, '1');
  for (let n = 0; n < 70; n++) output.tell(message(n));
  expect(exchange.events).toEqual([]);
  output.acknowledge('{"toolsListChanged":true}');
  output.tell(message(99));
  expect(exchange.events[0]).toMatchObject({
    params: { _meta: { [STAMP]: 1 }, notifications: { toolsListChanged: true } },
  });
  const held = Array.from({ length: 64 }, (_, n) => `n/${n}`);
  expect(methods(exchange).slice(1)).toEqual([...held, 'n/99']);
});

test('a stream that has ended is not acknowledged any more', () => {
  const exchange = new Asked(1);
  const output = new ListenerOutput(exchange, '1');
  expect([output.isOpen, output.close(), output.close(), output.isOpen]).toEqual([true, true, false, false]);
  output.acknowledge('{}');
  expect(exchange.events).toEqual([]);
});

test.each([
  ['with params only', '{"uri":"x"}', { uri: 'x', _meta: { [STAMP]: 'a' } }],
  ['with its own _meta', '{"_meta":{"k":1},"uri":"x"}', { uri: 'x', _meta: { k: 1, [STAMP]: 'a' } }],
])('a notification %s gets the name of the stream', (_what, params, expected) => {
  const exchange = new Asked(1);
  const output = new ListenerOutput(exchange, '"a"');
  output.acknowledge('{}');
  output.pass(Frame.of(Buffer.from(`{"jsonrpc":"2.0","method":"n","params":${params}}`)));
  expect(exchange.events[1]!.params).toEqual(expected);
});
