import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  beginEvents,
  eventOf,
  type HttpServer,
  type SeenRequest,
  sendJson,
  startHttpServer,
} from '../../../support/http/http-server.ts';
import { type Opened, open } from './opened.ts';

const INITIALIZED = { method: 'notifications/initialized' };
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';
const endpointEvent = (uri: string): string => `event: endpoint\ndata: ${uri}\n\n`;

interface SseServer extends HttpServer {
  /** The stream that was opened last. */
  readonly stream: () => ServerResponse;
  readonly posts: () => readonly SeenRequest[];
}

/** A server with its stream at /mcp; what is posted is for the test to answer. */
async function start(endpoint: string | ((server: HttpServer) => string), onPost: Answer = accept): Promise<SseServer> {
  let stream: ServerResponse;
  const server: HttpServer = await startHttpServer((request, response, raw) => {
    if (request.method !== 'GET') return onPost(request, response, raw);
    stream = response;
    beginEvents(response)(endpointEvent(typeof endpoint === 'string' ? endpoint : endpoint(server)));
    return undefined;
  });
  const posts = () => server.requests.filter(({ method }) => method === 'POST');
  return { ...server, stream: () => stream, posts };
}

const accept: Answer = (_request, response) => response.writeHead(202).end('Accepted');

const openTo = ({ url }: { url: string }, headers = {}): Promise<Opened> => open(url, { type: 'sse', headers });

test('what is sent goes to the endpoint, what comes comes on the stream, and the headers are on both', async () => {
  const server = await start('/messages?session=1');
  const { send, frames, failures } = await openTo(server, { Authorization: 'Bearer abc' });
  send({ id: 1, method: 'initialize' });
  await expect.poll(() => server.posts().length).toBe(1);
  server.stream().write(`: comment\n\nevent: other\ndata: noise\n\n${eventOf(ANSWER)}`);
  await expect.poll(() => frames).toEqual([ANSWER]);
  const [get, post] = server.requests;
  expect(get).toMatchObject({ path: '/mcp', headers: { accept: 'text/event-stream', authorization: 'Bearer abc' } });
  expect(post).toMatchObject({
    path: '/messages?session=1',
    headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
    message: { id: 1, method: 'initialize' },
  });
  expect(failures).toEqual([]);
});

describe('an endpoint', () => {
  test.each<[string, string, string]>([
    ['relative to the folder', 'messages', '/messages'],
    ['relative to the url', '?session=1', '/mcp?session=1'],
    ['in letters that a url does not have', '/ä b', '/%C3%A4%20b'],
  ])('%s', async (_name, endpoint, path) => {
    const server = await start(endpoint);
    const { send } = await openTo(server);
    send({ method: 'x' });
    await expect.poll(() => server.posts().map((post) => post.path)).toEqual([path]);
  });

  test('with its origin, if it is the same', async () => {
    const server = await start(({ port }) => `http://127.0.0.1:${port}/in`);
    const { send } = await openTo(server);
    send({ method: 'x' });
    await expect.poll(() => server.posts().map((post) => post.path)).toEqual(['/in']);
  });

  test.each([
    ['http://127.0.0.1:1/in', 'it names an endpoint at another origin (http://127.0.0.1:1), which gets nothing'],
    ['//evil.example/in', 'it names an endpoint at another origin (http://evil.example), which gets nothing'],
    ['http://', 'the endpoint that it names is no url'],
  ])('that is none of its own ends the connection: %s', async (endpoint, reason) => {
    const server = await start(endpoint);
    const { send, closed } = await openTo(server, { Authorization: 'Bearer abc' });
    send({ id: 1, method: 'initialize' });
    await expect.poll(() => closed).toEqual([reason]);
    expect(server.posts()).toEqual([]);
  });

  test('counts the first time only, and is seen from where a redirect has led', async () => {
    const server = await startHttpServer((request, response) => {
      if (request.path === '/mcp') response.writeHead(307, { location: '/new/sse' }).end();
      else if (request.method === 'GET') beginEvents(response)(endpointEvent('in'), endpointEvent('/other'));
      else accept(request, response, undefined as never);
    });
    const { send } = await openTo(server);
    send({ method: 'a' });
    await expect.poll(() => server.requests.at(-1)!.path).toBe('/new/in');
    send({ method: 'b' });
    await expect
      .poll(() => server.requests.map(({ path }) => path))
      .toEqual(['/mcp', '/new/sse', '/new/in', '/new/in']);
  });
});

test('nothing overtakes what begins the session', async () => {
  let take: (() => void) | undefined;
  const server = await start('/in', (request, response) => {
    if (request.message.method === INITIALIZED.method) take = () => response.writeHead(202).end();
    else response.writeHead(202).end();
  });
  const { send, transport } = await openTo(server);
  send(INITIALIZED);
  send({ id: 2, method: 'tools/list' });
  await expect.poll(() => take).toBeDefined();
  expect(server.posts().length).toBe(1);
  expect(transport.queuedBytes).toBeGreaterThan(0);
  take!();
  await expect
    .poll(() => server.posts().map(({ message }) => message.method))
    .toEqual([INITIALIZED.method, 'tools/list']);
});

describe('what a POST is answered with', () => {
  /** The answer to a request, and what was reported of it. */
  async function answered(onPost: Answer): Promise<Opened> {
    const server = await start('/in', onPost);
    const opened = await openTo(server);
    opened.send({ id: 1, method: 'tools/call' });
    await expect.poll(() => opened.frames.length + opened.failures.length).toBe(1);
    return opened;
  }

  test('the answer itself', async () => {
    const { frames } = await answered((_request, response) => sendJson(response, ANSWER));
    expect(frames).toEqual([ANSWER]);
  });

  test('the answer in a stream of its own', async () => {
    const { frames, closed } = await answered((_request, response) => {
      beginEvents(response)(eventOf(ANSWER));
      response.end();
    });
    expect([frames, closed]).toEqual([[ANSWER], []]);
  });

  test('an error that is its answer, whatever the status', async () => {
    const error = '{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}';
    const { frames } = await answered((_request, response) => sendJson(response, error, 400));
    expect(frames).toEqual([error]);
  });

  test.each([
    [400, 'UPSTREAM_REFUSED', 'none'],
    [500, 'UPSTREAM_REFUSED', 'unknown'],
    [503, 'OVERLOADED', 'none'],
  ])('a refusal: %s', async (status, code, effect) => {
    const { failures, closed } = await answered((_request, response) => response.writeHead(status).end('no'));
    expect(failures).toEqual([expect.objectContaining({ id: 1, code, effect, status })]);
    expect(closed).toEqual([]);
  });

  test('that there is no such session: it is over', async () => {
    const { failures, closed } = await answered((_request, response) => response.writeHead(404).end('no session'));
    const reason = 'it has forgotten the session';
    expect(failures).toEqual([{ id: 1, code: 'UPSTREAM_EXITED', reason, effect: 'none', isUnheard: true }]);
    await expect.poll(() => closed).toEqual([reason]);
  });

  test('that there is no such session: what is on its way hears it itself, and what runs is answered', async () => {
    const waiting = new Map<unknown, () => void>();
    const server = await start('/in', (request, response) => {
      const { id } = request.message;
      if (id === 3) response.writeHead(202).end();
      else if (id === 2) waiting.set(id, () => response.writeHead(404).end());
      else response.writeHead(404).end();
    });
    const { send, transport, frames, failures, closed } = await openTo(server);
    for (const id of [3, 2, 1]) send({ id, method: 'tools/call' });
    await expect.poll(() => closed).toEqual(['it has forgotten the session']);
    expect(transport.finish!()).toBe(true);
    await expect.poll(() => waiting.size).toBe(1);
    waiting.get(2)!();
    await expect
      .poll(() => failures.map(({ id, isUnheard }) => [id, isUnheard]))
      .toEqual([
        [1, true],
        [2, true],
      ]);
    server.stream().write(eventOf('{"jsonrpc":"2.0","id":3,"result":{}}'));
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":3,"result":{}}']);
    // From now on no request can be answered.
    server.stream().end();
    await expect.poll(() => closed).toEqual(['it has forgotten the session', 'the stream of events ended']);
    expect(transport.finish!()).toBe(false);
  });

  test('that there is nothing of the kind: the session goes on', async () => {
    const server = await start('/in', (request, response) => {
      response.writeHead(request.message.method === 'prompts/list' ? 404 : 202).end();
      if (request.message.method === 'ping')
        server.stream().write(eventOf({ jsonrpc: '2.0', id: request.message.id, result: {} }));
    });
    const { send, frames, failures, closed } = await openTo(server);
    send({ id: 1, method: 'prompts/list' });
    await expect.poll(() => failures).toMatchObject([{ id: 1, code: 'UPSTREAM_REFUSED', effect: 'none', status: 404 }]);
    server.stream().write(eventOf({ jsonrpc: '2.0', id: 2, result: {} }));
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}']);
    expect(closed).toEqual([]);
  });

  test('an error that names no request', async () => {
    const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}';
    const { frames } = await answered((_request, response) => sendJson(response, error, 400));
    expect(frames).toEqual([error.replace('null', '1')]);
  });

  test('a refusal that calls itself a stream of events', async () => {
    const { failures } = await answered((_request, response) =>
      response.writeHead(400, { 'content-type': 'text/event-stream' }).end(),
    );
    expect(failures).toEqual([expect.objectContaining({ id: 1, code: 'UPSTREAM_REFUSED', status: 400 })]);
  });

  test('nothing, because the connection broke', async () => {
    const { failures } = await answered((_request, response) => response.destroy());
    expect(failures).toEqual([expect.objectContaining({ id: 1, code: 'UPSTREAM_EXITED', effect: 'unknown' })]);
  });

  test('a word in JSON that is no message', async () => {
    const server = await start('/in', (_request, response) => sendJson(response, '"Accepted"', 202));
    const { send, frames, failures, lost } = await openTo(server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => server.posts().length).toBe(1);
    server.stream().write(eventOf(ANSWER));
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect([failures, lost]).toEqual([[], []]);
  });
});

describe('the end of the stream', () => {
  test.each<[string, (stream: ServerResponse) => void]>([
    ['as it should be', (stream) => stream.end()],
    ['in the middle', (stream) => stream.destroy()],
  ])('is the end of the connection: %s', async (_name, end) => {
    const server = await start('/in');
    const { send, closed } = await openTo(server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => server.posts().length).toBe(1);
    end(server.stream());
    await expect.poll(() => closed).toEqual(['the stream of events ended']);
  });

  test('by us is seen there, and reported to nobody', async () => {
    const server = await start('/in');
    const { transport, closed, send } = await openTo(server);
    send({ method: 'x' });
    await expect.poll(() => server.posts().length).toBe(1);
    await Promise.all([transport.close(), transport.close()]);
    await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
    expect(closed).toEqual([]);
  });
});

describe('no stream', () => {
  test.each<[number, object, string]>([
    [200, { 'content-type': 'text/html' }, 'its url opens no stream of events (HTTP 200)'],
    [401, {}, 'it asks for authorization (HTTP 401), which "headers" of its entry must give'],
    [404, {}, 'there is nothing at its url (HTTP 404)'],
    [
      302,
      { location: 'http://evil.example/' },
      'it redirects to another origin (http://evil.example), which is not followed: give that url in the config',
    ],
  ])('because the answer is HTTP %s', async (status, headers, reason) => {
    const server = await startHttpServer((_request, response) => response.writeHead(status, headers as never).end());
    const { closed } = await openTo(server);
    await expect.poll(() => closed).toEqual([reason]);
  });

  test('because nobody is there', async () => {
    const { closed } = await openTo({ url: 'http://127.0.0.1:1/sse' });
    await expect.poll(() => closed).toEqual(['connection refused']);
  });
});

test('how much is held is known without looking at each message', async () => {
  const server = await start('/messages', () => undefined);
  const { transport, send } = await openTo(server);
  const reduced = vi.spyOn(Array.prototype, 'reduce');
  for (let count = 0; count < 50; count++) {
    send({ method: 'x' });
    expect(transport.queuedBytes).toBeGreaterThan(0);
  }
  const looks = reduced.mock.contexts.filter((list: unknown) => (list as unknown[]).length > 10).length;
  reduced.mockRestore();
  expect(looks).toBe(0);
});
