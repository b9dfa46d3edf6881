import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { McpEndpoint } from '../../../../src/downstream/http/mcp-endpoint.ts';
import { OpenPosts } from '../../../../src/downstream/http/posts/open-posts.ts';
import { HttpClients } from '../../../../src/downstream/http/sessions/http-clients.ts';
import { Backlog } from '../../../../src/downstream/http/streams/backlog.ts';
import { UnreadBudget } from '../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { RefusalLog } from '../../../../src/telemetry/refusal-log.ts';

const EVENTS = { accept: 'text/event-stream' };

/** An endpoint behind a real server; the header X-Principal says who comes, `expiresAt` until when. */
async function open({ isStopping = false, expiresAt = Number.POSITIVE_INFINITY } = {}) {
  const log = createLog({ level: 'silent' });
  const backlog = new Backlog(new UnreadBudget(log));
  const ended: string[] = [];
  const openSession = ({ id }: { id: string }) =>
    ({ id, openCalls: 0, end: () => ended.push(id), introduction: {} }) as never;
  const clients = new HttpClients({ openSession, openModern: () => undefined as never }, backlog);
  const endpoint = new McpEndpoint({
    settings: () => ({ maxBodyBytes: 1_000, auth: { isCurrent: () => true } }) as never,
    clients,
    exchanges: new OpenPosts(),
    backlog,
    refusals: new RefusalLog(log),
    isDraining: () => isStopping,
  });
  const routeOf = (id: string) => ({ principal: { id, name: id }, profile: 'default', expiresAt });
  const server = createServer((incoming, response) =>
    endpoint.serve(incoming, response, routeOf(String(incoming.headers['x-principal'] ?? 'a'))),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = async (method: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const outgoing = request({ port, host: '127.0.0.1', method, headers, agent: false }).end();
    outgoing.on('error', () => undefined);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).resume();
    return response;
  };
  const status = async (method: string, headers?: Record<string, string>) => (await send(method, headers)).statusCode;
  const { id } = clients.sessions.create(routeOf('a'))!;
  return { endpoint, clients, ended, send, status, id, own: { 'mcp-session-id': id } };
}

test('a session is ended by its own client alone', async () => {
  const { status, ended, id, own } = await open();
  expect(await status('DELETE')).toBe(400);
  expect(await status('DELETE', { ...own, 'x-principal': 'b' })).toBe(404);
  expect(ended).toEqual([]);
  expect(await status('DELETE', own)).toBe(200);
  expect(ended).toEqual([id]);
  expect(await status('DELETE', own)).toBe(404);
});

test('a client listens to its own session alone, and only by an event stream', async () => {
  const { send, status, own } = await open();
  expect(await status('GET', own)).toBe(200);
  expect(await status('GET', { ...own, accept: 'application/json' })).toBe(406);
  expect(await status('GET', { ...own, ...EVENTS, 'x-principal': 'b' })).toBe(404);
  expect(await status('GET', EVENTS)).toBe(400);
  const { headers } = await send('GET', { ...own, ...EVENTS });
  expect(headers['content-type']).toBe('text/event-stream');
});

test.each([
  ['an event that never was', 's_5', 400],
  ['an id that is none', 'nonsense', 400],
  ['the beginning', 's_0', 200],
])('a client that comes back after %s', async (_what, lastEventId, expected) => {
  const { status, own } = await open();
  expect(await status('GET', { ...own, ...EVENTS, 'last-event-id': lastEventId })).toBe(expected);
});

test('other methods and versions are refused', async () => {
  const { send, status, own } = await open();
  const put = await send('PUT', own);
  expect([put.statusCode, put.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
  const modern = await send('GET', { ...own, 'mcp-protocol-version': '2026-07-28' });
  expect([modern.statusCode, modern.headers.allow]).toEqual([405, 'POST']);
  expect(await status('DELETE', { ...own, 'mcp-protocol-version': '1999-01-01' })).toBe(400);
  expect(await status('POST', { ...own, 'content-type': 'text/plain' })).toBe(415);
});

test('while the server stops no stream begins', async () => {
  const { status, own } = await open({ isStopping: true });
  expect(await status('GET', { ...own, ...EVENTS })).toBe(503);
});

test('a stream ends with its token', async () => {
  const { endpoint, send, own } = await open({ expiresAt: 1_000 });
  const response = await send('GET', { ...own, ...EVENTS });
  const closed = new Promise((resolve) => response.once('close', resolve));
  endpoint.closeExpired(999);
  expect(response.destroyed).toBe(false);
  endpoint.closeExpired(1_000);
  await closed;
});
