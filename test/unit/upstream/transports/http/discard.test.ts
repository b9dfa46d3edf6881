import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Answer, sendJson, startHttpServer } from '../../../../support/http/http-server.ts';
import { initializeResult, legacy, modernCall, open, openLegacy } from './opened.ts';

/** A body that goes on for as long as somebody reads it. */
function endless(response: ServerResponse, status: number, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
  };
  response.on('drain', more);
  more();
}

const isNotification: Answer = ({ message }) => message?.method === 'notifications/x';

test('a body without end behind a notification closes its connection, and nothing else', async () => {
  const server = await startHttpServer(
    legacy((request, response, raw) => {
      if (request.method === 'GET') response.writeHead(405).end();
      else if (isNotification(request, response, raw)) endless(response, 202);
      else sendJson(response, { jsonrpc: '2.0', id: request.message?.id ?? 0, result: {} });
    }),
  );
  const { send, frames, closed } = await openLegacy(server);
  send({ method: 'notifications/x' });
  await expect
    .poll(() => server.requests.at(-1))
    .toMatchObject({ isAborted: true, message: { method: 'notifications/x' } });
  send({ id: 2, method: 'ping' });
  await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}']);
  expect(closed).toEqual([]);
});

test('so does one behind a redirect, and the redirect is followed', async () => {
  const server = await startHttpServer((request, response) => {
    if (request.path === '/mcp') endless(response, 307, { location: '/there' });
    else sendJson(response, { jsonrpc: '2.0', id: 1, result: {} });
  });
  const { send, frames } = await open(server.url);
  send(modernCall(1, 't'));
  await expect.poll(() => frames.length).toBe(1);
  await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
});

test.each([
  ['of a stream that there is not', 405],
  ['of a stream that there is not now', 503],
])('so does one behind the refusal %s', async (_what, status) => {
  const server = await startHttpServer((request, response) => {
    if (request.method === 'GET') endless(response, status);
    else if (request.message.method === 'initialize') sendJson(response, initializeResult(1));
    else response.writeHead(202).end();
  });
  await openLegacy(server);
  await expect.poll(() => server.requests.find(({ method }) => method === 'GET')?.isAborted).toBe(true);
});
