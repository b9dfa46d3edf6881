import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ModernExchange } from '../../../../../src/downstream/http/posts/modern-exchange.ts';
import { Backlog } from '../../../../../src/downstream/http/streams/backlog.ts';
import { UnreadBudget } from '../../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../../src/telemetry/log.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An exchange over a real connection, and what became of it. */
async function begin({ prefersEvents = false } = {}) {
  const events: string[] = [];
  const server = createServer();
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', agent: false }).end();
  outgoing.on('error', () => undefined);
  const answer = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const [, response] = await once(server, 'request');
  const exchange = new ModernExchange({
    response,
    backlog: new Backlog(new UnreadBudget(createLog({ level: 'silent' }))),
    types: { json: true, events: true, prefersEvents },
    onSettled: () => events.push('settled'),
    onLeft: () => events.push('left'),
  });
  const read = async () => {
    const [incoming] = await answer;
    let text = '';
    for await (const chunk of incoming) text += (chunk as Buffer).toString();
    return { status: incoming.statusCode, type: incoming.headers['content-type'], text };
  };
  return { exchange, events, read, answer, outgoing };
}

test('a lone answer is JSON with its status', async () => {
  const { exchange, events, read } = await begin();
  exchange.reply('{"a":1}', 404);
  expect(await read()).toEqual({ status: 404, type: 'application/json', text: '{"a":1}' });
  expect(events).toEqual(['settled']);
});

test('a lone answer is an event where the client prefers that, unless it needs a status', async () => {
  const good = await begin({ prefersEvents: true });
  good.exchange.reply('{"a":1}');
  expect(await good.read()).toEqual({
    status: 200,
    type: 'text/event-stream',
    text: 'event: message\ndata: {"a":1}\n\n',
  });
  const bad = await begin({ prefersEvents: true });
  bad.exchange.reply('{"a":1}', 404);
  expect(await bad.read()).toMatchObject({ status: 404, type: 'application/json' });
});

test('a sign of life is a comment, after which the answer is an event', async () => {
  const { exchange, events, read } = await begin();
  exchange.keepAlive();
  exchange.keepAlive();
  exchange.send('{"n":1}');
  exchange.reply('{"a":1}', 404);
  exchange.keepAlive();
  exchange.send('{"n":2}');
  exchange.reply('{"a":2}');
  const { status, type, text } = await read();
  expect([status, type]).toEqual([200, 'text/event-stream']);
  expect(text).toMatch(/^(?::[^\n]*\n\n){2}event: message\ndata: \{"n":1\}\n\nevent: message\ndata: \{"a":1\}\n\n$/);
  expect(events).toEqual(['settled']);
});

test('no line of an event breaks in the middle of a message', async () => {
  const { exchange, read } = await begin();
  exchange.send('{"a":\r1}');
  exchange.reply([Buffer.from('{"b":'), Buffer.from('\r2}')]);
  expect((await read()).text).toBe('event: message\ndata: {"a": 1}\n\nevent: message\ndata: {"b": 2}\n\n');
});

test('a client that leaves is noticed once, and nothing is written any more', async () => {
  const { exchange, events, answer, outgoing } = await begin();
  exchange.send('{"n":1}');
  await answer;
  outgoing.destroy();
  await expect.poll(() => events).toEqual(['settled', 'left']);
  exchange.send('{"n":2}');
  exchange.keepAlive();
  exchange.reply('{"a":1}');
  expect(events).toEqual(['settled', 'left']);
});

test('a client that leaves before it has the whole answer has left', async () => {
  const { exchange, events, answer, outgoing } = await begin();
  exchange.send('{"n":1}');
  await answer;
  // More than any buffer on the way holds, so the end of it cannot have been written.
  exchange.reply([Buffer.alloc(64 * 1024 * 1024, 0x20)]);
  expect(events).toEqual(['settled']);
  outgoing.destroy();
  await expect.poll(() => events).toEqual(['settled', 'left']);
});

test('where no answer follows the connection ends without one', async () => {
  const { exchange, events, answer } = await begin();
  const broken = expect(answer).rejects.toThrow();
  exchange.abandon();
  await broken;
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(['settled']);
});
