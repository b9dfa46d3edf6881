import { expect, test } from 'vitest';
import { StreamEras } from '../../../../src/downstream/streams/stream-eras.ts';
import type { Exchange } from '../../../../src/session/exchange.ts';
import type { Message } from '../../../../src/wire/message.ts';
import { Asked, read, VERSION } from '../../session/modern-setup.ts';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A stream whose clients note what they get. */
function setup() {
  const heard: string[] = [];
  const legacyExchanges: Exchange[] = [];
  const modernExchanges: Exchange[] = [];
  const cancelled: number[] = [];
  const out = new Asked(0);
  const replies: unknown[] = [];
  const exchange: Exchange = {
    reply: (bytes) => void replies.push(JSON.parse(bytes.toString())),
    send: (bytes) => out.send(bytes),
    sendIfRoom: (bytes) => out.send(bytes),
    abandon: () => undefined,
  };
  const eras = new StreamEras({
    exchange,
    openSession: () =>
      ({
        introduction: { allowsBatches: true },
        openCalls: 1,
        onMessage: (message: { method?: string }, way: Exchange) => {
          heard.push(`legacy ${message.method}`);
          legacyExchanges.push(way);
        },
        end: () => heard.push('legacy end'),
      }) as never,
    openModern: () =>
      ({
        openCalls: 2,
        onRequest: ({ method }: { method: string }, _envelope: unknown, way: Exchange) => {
          heard.push(`modern ${method}`);
          modernExchanges.push(way);
          return { cancel: () => cancelled.push(modernExchanges.length) };
        },
        end: () => heard.push('modern end'),
      }) as never,
  });
  const send = (json: object) => eras.onMessage(read<Message>(JSON.stringify({ jsonrpc: '2.0', ...json })));
  const legacy = (method: string, id: number | undefined = 1) => send({ id, method, params: {} });
  const modern = (method: string, id: number) => send({ id, method, params: { _meta: ENVELOPE } });
  return { eras, heard, legacyExchanges, modernExchanges, cancelled, replies, send, legacy, modern };
}

test('each request tells its era until one says initialize; from then on all are legacy', () => {
  const { heard, legacy, modern, eras } = setup();
  modern('tools/list', 1);
  expect(eras.allowsBatches).toBe(false);
  legacy('initialize', 2);
  modern('tools/list', 3);
  expect(heard).toEqual(['modern tools/list', 'legacy initialize', 'legacy tools/list']);
  expect([eras.allowsBatches, eras.openCalls]).toEqual([true, 3]);
});

test('a client that has begun in the modern era may leave out the version, and hears what is missing', () => {
  const { heard, legacy, modern, replies } = setup();
  modern('tools/list', 1);
  legacy('tools/call', 2);
  expect(heard).toEqual(['modern tools/list']);
  expect(replies).toMatchObject([{ id: 2, error: { code: -32602 } }]);
});

test('an id is in use until its request is answered', () => {
  const { heard, modern, modernExchanges, replies } = setup();
  modern('tools/call', 1);
  modern('tools/call', 1);
  expect(replies).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  modernExchanges[0]!.reply('{"jsonrpc":"2.0","id":1,"result":{}}');
  modern('tools/call', 1);
  expect(heard).toEqual(['modern tools/call', 'modern tools/call']);
});

test('a cancelled modern request is cancelled; other notifications before it begin a legacy client', () => {
  const { cancelled, heard, modern, send } = setup();
  modern('tools/call', 1);
  send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect([cancelled, heard]).toEqual([[1], ['modern tools/call']]);
});

test('legacy requests are waited for until they are answered or abandoned', () => {
  const { eras, legacy, legacyExchanges, replies, send } = setup();
  Object.defineProperty(eras, 'openCalls', { value: 0 });
  legacy('initialize', 1);
  send({ method: 'notifications/initialized' });
  legacy('ping', 2);
  expect(eras.isWaitedFor).toBe(true);
  legacyExchanges[0]!.reply('{"jsonrpc":"2.0","id":1,"result":{}}');
  expect(eras.isWaitedFor).toBe(true);
  legacyExchanges[2]!.abandon();
  expect([eras.isWaitedFor, replies.length]).toEqual([false, 1]);
});

test('both clients end with the stream', () => {
  const { eras, heard, legacy, modern } = setup();
  modern('tools/list', 1);
  legacy('initialize', 2);
  eras.end();
  expect(heard.slice(2)).toEqual(['legacy end', 'modern end']);
});
