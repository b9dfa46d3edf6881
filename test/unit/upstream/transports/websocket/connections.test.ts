import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Authorization } from '../../../../../src/upstream/transports/transport.ts';
import { certificateOf } from '../../../../support/auth/certificates.ts';
import { startForwardProxy } from '../../../../support/http/forward-proxy.ts';
import { open } from '../opened.ts';

const ANSWER = '{"id":1,"result":{}}';
const REQUEST = { id: 1, method: 'x' };

const authority = certificateOf('an authority', { isAuthority: true });
const certificate = certificateOf('the server', { by: authority, hosts: ['127.0.0.1', 'far.test'] });
const TRUSTED = { type: 'websocket', tls: { ca: authority.cert, verify: true } } as const;

/** A server that answers everything the same; with `refuse` it takes no connection, until that gives false. */
async function listen({ isSecure = false, refuse = (() => false) as (token?: string) => boolean } = {}) {
  const onRequest: RequestListener = (_request, response) => response.writeHead(426).end();
  const { cert, key } = certificate;
  const server = isSecure ? createSecureServer({ cert, key }, onRequest) : createServer(onRequest);
  const sockets = new WebSocketServer({
    server,
    verifyClient: ({ req }, done) => done(!refuse(req.headers.authorization), 401),
  });
  sockets.on('connection', (socket) => socket.on('message', () => socket.send(ANSWER)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `${isSecure ? 'wss' : 'ws'}://127.0.0.1:${port}/mcp`, sockets };
}

describe('over TLS', () => {
  test('a server is trusted whose authority the entry names', async () => {
    const { url } = await listen({ isSecure: true });
    const { send, frames } = await open(url, TRUSTED);
    send(REQUEST);
    await expect.poll(() => frames).toEqual([ANSWER]);
  });

  test('any other is refused, and the reason says so', async () => {
    const { url } = await listen({ isSecure: true });
    const { closed } = await open(url, { type: 'websocket' });
    await expect
      .poll(() => closed)
      .toEqual([expect.stringContaining('its certificate is of an authority that is not known here')]);
  });
});

describe('a proxy of the environment', () => {
  test.each([
    ['ws', false, 80],
    ['wss', true, 443],
  ])('makes a tunnel to %s', async (protocol, isSecure, port) => {
    const server = await listen({ isSecure });
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
    const env = { ALL_PROXY: `http://me:swordfish@127.0.0.1:${proxy.port}` };
    const { send, frames } = await open(`${protocol}://far.test/mcp`, TRUSTED, { env });
    send(REQUEST);
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect(proxy.seen).toEqual([`CONNECT far.test:${port}`]);
  });

  test('that opens no tunnel cannot answer in place of the server', async () => {
    const server = await listen();
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
    const env = { ALL_PROXY: `http://me:wrongfish@127.0.0.1:${proxy.port}` };
    const onRefused = vi.fn(() => undefined);
    const { closed } = await open(
      'ws://far.test/mcp',
      { type: 'websocket' },
      { env, authorization: authorizationOf({ onRefused }) },
    );
    await expect.poll(() => closed).toEqual([expect.stringContaining('HTTP 407 of the proxy')]);
    expect(closed[0]).toContain(`by way of the proxy http://127.0.0.1:${proxy.port}`);
    expect(onRefused).not.toHaveBeenCalled();
  });

  test('that is not there is named', async () => {
    const env = { ALL_PROXY: 'http://me:swordfish@127.0.0.1:1' };
    const { closed } = await open('ws://far.test/mcp', { type: 'websocket' }, { env });
    await expect.poll(() => closed).toEqual(['connection refused; by way of the proxy http://127.0.0.1:1']);
  });
});

test('a refusal that a new token has ended says nothing about the end of the connection', async () => {
  const { url, sockets } = await listen({ refuse: (token) => token !== 'Bearer new' });
  let token = 'old';
  const authorization = authorizationOf({
    headers: () => ({ authorization: `Bearer ${token}` }),
    onRefused: () => {
      token = 'new';
      return 'retry';
    },
  });
  const { send, frames, closed } = await open(url, { type: 'websocket' }, { authorization });
  send(REQUEST);
  await expect.poll(() => frames).toEqual([ANSWER]);
  for (const socket of sockets.clients) socket.close(1012);
  await expect.poll(() => closed).toEqual(['it closed the connection (code 1012)']);
});

test('a mark in the url, which means nothing to a server, is left out', async () => {
  const { url } = await listen();
  const { send, frames } = await open(`${url}#there`, { type: 'websocket' });
  send(REQUEST);
  await expect.poll(() => frames).toEqual([ANSWER]);
});

type Refused = Parameters<Authorization['onRefused']>[0];

function authorizationOf({
  headers = () => ({}),
  onRefused,
}: {
  headers?: Authorization['headers'];
  onRefused: (refusal: Refused) => 'retry' | undefined;
}): Authorization {
  return {
    prepare: async () => undefined,
    headers,
    onRefused: async (refusal) => onRefused(refusal),
    reload: async () => false,
  };
}
