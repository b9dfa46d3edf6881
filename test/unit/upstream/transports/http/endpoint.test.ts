import { expect, test } from 'vitest';
import { sendJson, startHttpServer } from '../../../../support/http-server.ts';
import { open } from '../opened.ts';
import { modernCall } from './opened.ts';

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
