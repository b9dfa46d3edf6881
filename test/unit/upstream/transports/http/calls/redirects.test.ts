import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { beginEvents, sendJson, startHttpServer } from '../../../../../support/http/http-server.ts';
import { legacy, modernCall, open, openLegacy } from '../opened.ts';

const redirect = (response: ServerResponse, status: number, location: string): void => {
  response.writeHead(status, { location }).end();
};

/** A server that sends what comes to its url elsewhere; what comes there is answered. Gives the paths of two calls. */
async function pathsOf(status: number): Promise<readonly string[]> {
  const server = await startHttpServer((request, response) => {
    if (request.path === '/mcp') redirect(response, status, '/elsewhere');
    else sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
  });
  const { send, frames } = await open(server.url, { headers: { 'X-A': 'b' } });
  for (const id of [1, 2]) {
    send(modernCall(id, 'x'));
    await expect.poll(() => frames.length).toBe(id);
  }
  for (const { headers } of server.requests) expect([headers['x-a'], headers['mcp-name']]).toEqual(['b', 'x']);
  return server.requests.map(({ path }) => path);
}

test.each([302, 307])('HTTP %s holds for the message that met it', async (status) => {
  expect(await pathsOf(status)).toEqual(['/mcp', '/elsewhere', '/mcp', '/elsewhere']);
});

test.each([301, 308])('HTTP %s holds for later messages, too', async (status) => {
  expect(await pathsOf(status)).toEqual(['/mcp', '/elsewhere', '/elsewhere']);
});

test('a permanent redirect behind a temporary one is not remembered', async () => {
  const server = await startHttpServer((request, response) => {
    if (request.path === '/mcp') redirect(response, 307, '/a');
    else if (request.path === '/a') redirect(response, 308, '/b');
    else sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
  });
  const { send, frames } = await open(server.url);
  for (const id of [1, 2]) {
    send(modernCall(id, 'x'));
    await expect.poll(() => frames.length).toBe(id);
  }
  expect(server.requests.map(({ path }) => path)).toEqual(['/mcp', '/a', '/b', '/mcp', '/a', '/b']);
});

describe('a permanent redirect', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['an error of HTTP', (response) => response.writeHead(503).end()],
    ['a broken connection', (response) => response.destroy()],
    ['a redirect to nowhere', (response) => response.writeHead(302).end()],
  ])('is given up when it leads to %s', async (_what, fail) => {
    let isMoved = true;
    const server = await startHttpServer((request, response) => {
      const { id } = request.message;
      if (request.path === '/mcp' && isMoved) redirect(response, 308, '/moved');
      else if (request.path === '/moved' && !isMoved) fail(response);
      else sendJson(response, { jsonrpc: '2.0', id, result: {} });
    });
    const { send, frames, failures, closed } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames.length).toBe(1);
    isMoved = false;
    send(modernCall(2, 'x'));
    await expect.poll(() => failures.length).toBe(1);
    send(modernCall(3, 'x'));
    await expect.poll(() => frames.length).toBe(2);
    expect(server.requests.map(({ path }) => path)).toEqual(['/mcp', '/moved', '/moved', '/mcp']);
    expect(closed).toEqual([]);
  });

  test('is one of its method', async () => {
    const server = await startHttpServer(
      legacy((request, response) => {
        if (request.method === 'GET' && request.path === '/mcp') redirect(response, 301, '/stream');
        else if (request.method === 'GET') beginEvents(response)(': x\n\n');
        else sendJson(response, { jsonrpc: '2.0', id: request.message?.id, result: {} });
      }),
    );
    const { send, frames } = await openLegacy(server);
    await expect.poll(() => server.requests.some(({ path }) => path === '/stream')).toBe(true);
    send({ id: 2, method: 'tools/list' });
    await expect.poll(() => frames.length).toBe(1);
    expect(server.requests.at(-1)!.path).toBe('/mcp');
  });
});

test('a redirect of the optional stream to a page costs that stream, and moves nothing', async () => {
  const server = await startHttpServer(
    legacy((request, response) => {
      if (request.path === '/docs') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      else if (request.method === 'GET') redirect(response, 303, '/docs');
      else sendJson(response, { jsonrpc: '2.0', id: request.message?.id, result: {} });
    }),
  );
  const { send, frames, closed } = await openLegacy(server);
  await expect.poll(() => server.requests.some(({ path }) => path === '/docs')).toBe(true);
  send({ id: 2, method: 'tools/call', params: { name: 'x' } });
  await expect.poll(() => frames.length).toBe(1);
  expect(server.requests.filter(({ path }) => path === '/docs').map(({ method }) => method)).toEqual(['GET']);
  expect(closed).toEqual([]);
});

test.each([
  ['another origin', 'http://example.com/mcp', 'it redirects to another origin (http://example.com)'],
  ['nowhere', undefined, 'it redirects to nowhere'],
  ['itself', '/mcp', 'it redirects endlessly'],
])('a redirect to %s fails the message that met it, and no other', async (_what, location, reason) => {
  let isAway = true;
  const server = await startHttpServer((request, response) => {
    if (isAway) response.writeHead(307, location === undefined ? {} : { location }).end();
    else sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
  });
  const { send, frames, failures, closed } = await open(server.url);
  send(modernCall(1, 'x'));
  await expect.poll(() => failures).toMatchObject([{ id: 1, code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
  expect(failures[0]!.reason).toContain(reason);
  isAway = false;
  send(modernCall(2, 'x'));
  await expect.poll(() => frames.length).toBe(1);
  expect(closed).toEqual([]);
});
