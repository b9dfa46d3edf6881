import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Answer, sendJson, startHttpServer } from '../../../../support/http/http-server.ts';
import { open } from '../opened.ts';
import { legacy, modernCall, openLegacy } from './opened.ts';

/** Whoever issues tokens may issue one with a line break in it: that ends the connection, and not the gateway. */
const REASON = expect.stringContaining('it cannot be asked (Invalid character in header content ["authorization"])');

const authorizationOf = (token: () => string, onRefused = async () => undefined as 'retry' | undefined) => ({
  prepare: async () => undefined,
  headers: () => ({ authorization: `Bearer ${token()}` }),
  onRefused,
  reload: async () => false,
});

test('a token that no header may have is a fault of the connection', async () => {
  const server = await startHttpServer((request, response) =>
    sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} }),
  );
  let token = 'good';
  const { send, frames, failures, closed } = await open(
    server.url,
    {},
    { authorization: authorizationOf(() => token) },
  );
  send(modernCall(1, 'x'));
  await expect.poll(() => frames.length).toBe(1);
  token = 'bad\nold';
  send(modernCall(2, 'x'));
  expect(failures).toEqual([]);
  await expect.poll(() => closed).toEqual([REASON]);
  expect(failures).toMatchObject([{ id: 2, code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
  expect(closed[0]).not.toContain('bad');
});

test('so is one that comes after a refusal', async () => {
  const server = await startHttpServer((_request, response) => response.writeHead(401).end());
  let token = 'old';
  const authorization = authorizationOf(
    () => token,
    async () => {
      token = 'bad\nnew';
      return 'retry';
    },
  );
  const { send, closed } = await open(server.url, {}, { authorization });
  send(modernCall(1, 'x'));
  await expect.poll(() => closed).toEqual([REASON]);
});

test('and over SSE', async () => {
  const { closed } = await open(
    'http://127.0.0.1:1/sse',
    { type: 'sse' },
    { authorization: authorizationOf(() => 'a\nb') },
  );
  await expect.poll(() => closed).toEqual([REASON]);
});

test.each([
  ['is none', Buffer.from('no gzip')],
  ['breaks off', gzipSync('x'.repeat(100_000)).subarray(0, 60)],
])('a refusal of which nobody reads the body is one, though its compression %s', async (_what, body) => {
  const refuse: Answer = ({ method }, response) =>
    response.writeHead(method === 'GET' ? 404 : 202, { 'content-encoding': 'gzip' }).end(body);
  const { send, transport, closed } = await openLegacy(await startHttpServer(legacy(refuse)));
  send({ method: 'notifications/x' });
  const sse = await open((await startHttpServer(refuse)).url, { type: 'sse' });
  await expect.poll(() => sse.closed).toEqual(['there is nothing at its url (HTTP 404)']);
  await transport.close();
  expect(closed).toEqual([]);
});

test.each(['http', 'sse'] as const)('a change of the protocol is no answer (%s)', async (type) => {
  const server = await startHttpServer((_request, _response, { socket }) =>
    socket.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  );
  const { send, failures, closed } = await open(server.url, { type });
  send(modernCall(1, 'x'));
  await expect
    .poll(() => [...closed, ...failures.map(({ reason }) => reason)])
    .toEqual(['it answers in another protocol (HTTP 101)']);
});
