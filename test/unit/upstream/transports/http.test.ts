import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, beginEvents, eventOf, sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import {
  INITIALIZED,
  initialize,
  initializeResult,
  legacy,
  META,
  modernCall,
  noStream,
  open,
  openLegacy,
} from './http/opened.ts';

describe('a modern request', () => {
  test('has headers that describe its body, and the entry’s own', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, '{"id":1,"result":{}}'));
    const { send, frames } = await open(server.url, { headers: { Authorization: 'Bearer abc', 'User-Agent': 'mine' } });
    send(modernCall(1, 'größe'));
    await expect.poll(() => frames).toEqual(['{"id":1,"result":{}}']);
    expect(server.requests[0]!.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDtsOfZQ==?=',
      authorization: 'Bearer abc',
      'user-agent': 'mine',
    });
    expect(server.requests[0]!.headers).not.toHaveProperty('mcp-session-id');
  });

  test('repeats arguments in the headers that its tool declares', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, '{"id":1,"result":{}}'));
    const properties = {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      off: { type: 'boolean', 'x-mcp-header': 'Off' },
      plain: { type: 'string' },
    };
    const bad = { inputSchema: { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } };
    const { send, frames } = await open(server.url, { tools: { t: { inputSchema: { properties } }, bad, none: {} } });
    send(modernCall(1, 't', { region: ' é', count: 42, off: null, plain: 'x' }));
    send(modernCall(2, 'bad', { a: 1 }));
    send(modernCall(3, 'none', { a: 1 }));
    send(modernCall(4, 'unknown', { region: 'a' }));
    await expect.poll(() => frames.length).toBe(4);
    const sent = server.requests.map(({ message, headers }) => [
      message.id,
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-'))),
    ]);
    expect(Object.fromEntries(sent)).toEqual({
      1: { 'mcp-param-region': '=?base64?IMOp?=', 'mcp-param-count': '42' },
      2: {},
      3: {},
      4: {},
    });
  });

  test('is cancelled by closing its response; nothing is posted', async () => {
    const server = await startHttpServer((_request, response) => beginEvents(response)(': hello\n\n'));
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'slow'));
    await expect.poll(() => server.requests.length).toBe(1);
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    send({ method: 'notifications/cancelled', params: { requestId: 99 } });
    send({ method: 'notifications/roots/list_changed' });
    await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
    send(modernCall(2, 'slow'));
    await expect.poll(() => server.requests.length).toBe(2);
    expect([frames, failures]).toEqual([[], []]);
  });

  test('is not resumed when its stream ends', async () => {
    const server = await startHttpServer((_request, response) => {
      beginEvents(response)('id: 1\nretry: 1\ndata:\n\n');
      response.end();
    });
    const { send, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => failures).toMatchObject([{ id: 1, code: 'UPSTREAM_EXITED', effect: 'unknown' }]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('answers', () => {
  const odd = '{"result" : {"big":9007199254740993, "e":1e400,"u":"\\u00e9","a":1,"a":2},\n "id":1, "jsonrpc":"2.0"}';

  test('in JSON are handed on byte for byte but for line breaks, which become spaces', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, `\n${odd}\n`));
    const { send, frames } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual([odd.replace('\n', ' ')]);
  });

  test('in events, too, after what came before them', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
    const server = await startHttpServer((_request, response) => {
      const send = beginEvents(response, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
      send(': hi\n\n', eventOf(progress), eventOf(odd.replace('\n', '')));
      response.end();
    });
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual([JSON.stringify(progress), odd.replace('\n', '')]);
    expect(failures).toEqual([]);
  });

  test.each([
    ['with our id', 400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":[1.0]}}'],
    ['with our id and 404', 404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'],
    ['with our id and 500', 500, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'],
  ])('an error %s is an answer whatever the status is', async (_what, status, body) => {
    const server = await startHttpServer((_request, response) => sendJson(response, body, status));
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual([body]);
    expect(failures).toEqual([]);
  });

  test.each(['"id":null,', '', '"id":"server-error",'])('an error without our id (%s) gets it', async (id) => {
    const body = `{"jsonrpc":"2.0",${id}"error":{"code":-32000,"message":"n\\u006f"}}`;
    const server = await startHttpServer((_request, response) => sendJson(response, body, 400));
    const { send, frames, failures } = await open(server.url);
    send(modernCall(7, 'x'));
    const answer = '{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"n\\u006f"}}';
    await expect.poll(() => frames.at(-1)).toBe(answer);
    expect(failures).toEqual([]);
  });

  test('a batch has the answer in it', async () => {
    const batch = '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}]';
    const server = await startHttpServer((_request, response) => sendJson(response, batch));
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual([batch]);
    expect(failures).toEqual([]);
  });
});

describe('answers that were compressed, though nobody asked for it', () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"text":"grüße"}}';

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (bytes) => bytes],
  ])('%s', async (encoding, compress) => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(compress(Buffer.from(answer)));
    });
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual([answer]);
    expect(failures).toEqual([]);
    expect(server.requests[0]!.headers['accept-encoding']).toBe('identity');
  });

  test('events arrive when they are sent, not when the stream ends; it can be given up', async () => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write(eventOf({ jsonrpc: '2.0', method: 'first' }));
      gzip.flush();
    });
    const { send, frames } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","method":"first"}']);
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
  });

  test('a bomb is too large by what comes out of it', async () => {
    const bomb = gzipSync(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(10_000_000)}"}}`));
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    const { send, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => failures).toMatchObject([{ code: 'ANSWER_TOO_LARGE' }]);
  });
});

describe('what a server may do by the letter of HTTP', () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{"text":"grüße 😀"}}';
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: Application/JSON ; Charset=UTF-8\r\n';
  const chunked = [...Buffer.from(body)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));

  test.each<[string, (string | Buffer)[]]>([
    [
      'say what it is about to say',
      ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n', `${head}\r\n`, body],
    ],
    ['end an answer with its connection', [`${head}Connection: close\r\n\r\n`, body]],
    ['cut an answer into bytes', [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunked, '0\r\n\r\n']],
    [
      'cut events into bytes',
      [
        'HTTP/1.1 200 OK\r\ncontent-type: TEXT/EVENT-STREAM;charset=utf-8\r\n\r\n',
        ...[...Buffer.from(`:\r\n\r\nretry: 10\r\nid: 7\r\n\r\nevent: other\ndata: {}\n\ndata:${body}\r\n\r\n`)].map(
          (byte) => Buffer.from([byte]),
        ),
      ],
    ],
  ])('%s', async (_what, pieces) => {
    const server = await startHttpServer(async (_request, _response, { socket }) => {
      socket.setNoDelay(true);
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.end();
    });
    const { send, frames, failures } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => [frames, failures]).toEqual([[body], []]);
  });

  test('answer a notification with a body, or with a stream that never ends', async () => {
    const server = await startHttpServer(
      noStream((request, response) => {
        if (request.message?.method === 'notifications/one') sendJson(response, '{"jsonrpc":"2.0"}', 202);
        else if (request.message?.method === 'notifications/two') beginEvents(response)(': x\n\n');
        else sendJson(response, { jsonrpc: '2.0', id: request.message?.id, result: {} });
      }),
    );
    const { send, frames, failures, closed } = await openLegacy(server);
    send({ method: 'notifications/one' });
    send({ method: 'notifications/two' });
    await expect.poll(() => server.requests.filter(({ isAborted }) => isAborted).length).toBe(1);
    send({ id: 2, method: 'ping' });
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}']);
    expect([failures, closed]).toEqual([[], []]);
  });
});

describe('what is no answer fails its request', () => {
  const fail = (status: number, headers: object = {}, body = 'oops'): Answer => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    };
  };

  test.each<[string, Answer, object]>([
    ['401', fail(401), { code: 'UPSTREAM_REFUSED', effect: 'none', status: 401 }],
    ['403', fail(403), { code: 'UPSTREAM_REFUSED', effect: 'none', status: 403 }],
    ['404 without a session', fail(404), { code: 'UPSTREAM_REFUSED', effect: 'none', status: 404 }],
    ['405', fail(405), { code: 'UPSTREAM_REFUSED', effect: 'none', status: 405 }],
    ['500', fail(500), { code: 'UPSTREAM_REFUSED', effect: 'unknown', status: 500 }],
    ['502', fail(502), { code: 'OVERLOADED', effect: 'unknown', status: 502 }],
    [
      '503',
      fail(503, { 'retry-after': '7' }),
      { code: 'OVERLOADED', effect: 'none', status: 503, retryAfterMs: 7_000 },
    ],
    [
      '503 until a date',
      fail(503, { 'retry-after': new Date(Date.now() + 1e12).toUTCString() }),
      { code: 'OVERLOADED', effect: 'none', retryAfterMs: 86_400_000 },
    ],
    [
      '429 until a date that has passed',
      fail(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
      { code: 'OVERLOADED', effect: 'none', retryAfterMs: 0 },
    ],
    ['303', fail(303, { location: '/mcp/done' }), { code: 'UPSTREAM_REFUSED', effect: 'unknown', status: 303 }],
    [
      'an encoding that nobody knows',
      fail(200, { 'content-encoding': 'zstd' }),
      { code: 'UPSTREAM_EXITED', effect: 'unknown', reason: expect.stringContaining('encoded as "zstd"') },
    ],
    [
      'what is said to be compressed and is not',
      fail(200, { 'content-encoding': 'gzip' }),
      { code: 'UPSTREAM_EXITED', effect: 'unknown' },
    ],
    ['429', fail(429), { code: 'OVERLOADED', effect: 'none', status: 429 }],
    ['a page', fail(200), { code: 'UPSTREAM_INVALID_ANSWER', effect: 'unknown', status: 200 }],
    ['nothing', fail(202, {}, ''), { code: 'UPSTREAM_INVALID_ANSWER', effect: 'unknown', status: 202 }],
    [
      'JSON that is no JSON',
      fail(200, { 'content-type': 'application/json' }, '{"id":1,'),
      { code: 'UPSTREAM_INVALID_ANSWER', effect: 'unknown' },
    ],
    [
      'the answer to another request',
      fail(200, { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","id":5,"result":{}}'),
      { code: 'UPSTREAM_INVALID_ANSWER', effect: 'unknown' },
    ],
    [
      'a body over the limit',
      fail(200, { 'content-type': 'application/json' }, `{"id":1,"result":{"a":"${'x'.repeat(200_000)}"}}`),
      { code: 'ANSWER_TOO_LARGE', effect: 'unknown' },
    ],
    [
      'a connection that ends in the head',
      (_request, _response, raw) => raw.socket.destroy(),
      { code: 'UPSTREAM_EXITED', effect: 'unknown' },
    ],
    [
      'a connection that ends in the body',
      (_request, response, raw) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":1', () => raw.socket.destroy());
      },
      { code: 'UPSTREAM_EXITED', effect: 'unknown' },
    ],
    [
      'a connection that ends in the stream',
      (_request, response, raw) => {
        beginEvents(response)(': x\n\n');
        response.write('data: 1', () => raw.socket.destroy());
      },
      { code: 'UPSTREAM_EXITED', effect: 'unknown' },
    ],
    [
      'a redirect to somewhere else',
      fail(307, { location: 'http://example.com/mcp' }),
      { code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' },
    ],
    ['a redirect that never ends', fail(308, { location: '/mcp' }), { code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }],
    ['a redirect to nowhere', fail(301), { code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }],
  ])('%s', async (_what, answer, failure) => {
    const server = await startHttpServer(answer);
    const { send, failures } = await open(server.url, { headers: { Authorization: 'Bearer swordfish' } });
    send(modernCall(1, 'x'));
    await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 1, ...failure })]);
    expect(JSON.stringify(failures)).not.toContain('swordfish');
  });

  test('a server that is not there is a lost connection', async () => {
    const server = await startHttpServer(() => undefined);
    await server.stop();
    const { send, failures, closed } = await open(server.url);
    send(modernCall(1, 'x'));
    await expect.poll(() => closed).toEqual(['connection refused']);
    expect(failures).toMatchObject([{ id: 1, code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
  });

  test('a connection that broke while it was idle is not the request’s fault', async () => {
    let isFirst = true;
    const server = await startHttpServer((request, response, raw) => {
      if (isFirst) {
        // Answered, and ended in the moment in which the next request is on its way.
        isFirst = false;
        sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
        raw.socket.once('data', () => raw.socket.destroy());
      } else sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
    });
    const { send, frames, failures } = await open(server.url);
    send({ id: 1, method: 'tools/list', params: { _meta: META } });
    await expect.poll(() => frames.length).toBe(1);
    send({ id: 2, method: 'tools/list', params: { _meta: META } });
    await expect.poll(() => frames.length).toBe(2);
    expect(failures).toEqual([]);
  });
});

describe('a legacy server', () => {
  test('hears its session and the negotiated version, on everything behind the opening', async () => {
    const server = await startHttpServer(
      noStream((request, response) => {
        if (request.method === 'DELETE') response.writeHead(200).end();
        else sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
      }),
    );
    const { transport, send, frames } = await openLegacy(server);
    send({ id: 2, method: 'ping' });
    await expect.poll(() => frames.length).toBe(1);
    await transport.close();
    const seen = server.requests.map(({ method, message, headers }) => [
      message?.method ?? method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
    ]);
    expect(seen).toEqual([
      ['initialize', undefined, undefined],
      ['notifications/initialized', 'session-1', '2025-06-18'],
      ['GET', 'session-1', '2025-06-18'],
      ['ping', 'session-1', '2025-06-18'],
      ['DELETE', 'session-1', '2025-06-18'],
    ]);
    expect(server.requests.every(({ headers }) => headers['mcp-method'] === undefined)).toBe(true);
  });

  test('is told that it may begin before anything else reaches it', async () => {
    let begin: (() => void) | undefined;
    const server = await startHttpServer((request, response) => {
      const { id, method } = request.message ?? {};
      if (method === 'initialize') {
        const send = beginEvents(response);
        send(eventOf(initializeResult(id)));
        response.end();
      } else if (method === 'notifications/initialized') begin = () => response.writeHead(202).end();
      else if (request.method === 'GET') response.writeHead(405).end();
      else sendJson(response, { jsonrpc: '2.0', id, result: {} });
    });
    const { send, frames } = await open(server.url);
    send(initialize(1));
    await expect.poll(() => frames.length).toBe(1);
    send(INITIALIZED);
    send({ id: 2, method: 'tools/list' });
    await expect.poll(() => begin).toBeDefined();
    expect(server.requests.map(({ message }) => message?.method)).toEqual(['initialize', 'notifications/initialized']);
    begin!();
    await expect.poll(() => frames.length).toBe(2);
    // Without a session there is nothing to end, and the version alone is repeated.
    expect(server.requests.at(-1)!.headers['mcp-protocol-version']).toBe('2025-06-18');
  });

  test('may have a stream of its own, which is opened again where it ended', async () => {
    let opened = 0;
    const server = await startHttpServer(
      legacy((request, response) => {
        if (request.method === 'POST') response.writeHead(202).end();
        else if (request.method === 'GET') {
          const send = beginEvents(response);
          send(
            'retry: 5\nid: p\ndata:\n\n',
            eventOf({ jsonrpc: '2.0', method: `n${++opened}` }, `e${opened}`),
            eventOf({ jsonrpc: '2.0', id: 'ask', method: 'ping' }),
          );
          if (opened < 3) response.end();
        }
      }),
    );
    const { send, frames } = await openLegacy(server);
    await expect.poll(() => frames.filter((frame) => frame.includes('n3')).length).toBe(1);
    const gets = server.requests.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => [headers.accept, headers['last-event-id']])).toEqual([
      ['text/event-stream', undefined],
      ['text/event-stream', 'e1'],
      ['text/event-stream', 'e2'],
    ]);
    send({ id: 'ask', result: {} });
    await expect.poll(() => server.requests.at(-1)!.body).toBe('{"jsonrpc":"2.0","id":"ask","result":{}}');
  });

  test('that ends its stream at once, again and again, is not asked as fast as it can answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await startHttpServer(
      legacy((_request, response) => {
        beginEvents(response)('retry: 0\ndata:\n\n');
        response.end();
      }),
    );
    await openLegacy(server);
    const gets = () => server.requests.filter(({ method }) => method === 'GET').length;
    // Time goes on by the interval with each look.
    await vi.waitFor(() => expect(gets()).toBe(11), { interval: 20, timeout: 10_000 });
    vi.advanceTimersByTime(900);
    await new Promise((resolve) => setImmediate(resolve));
    expect(gets()).toBe(11);
  });

  test('that has no stream is not asked again', async () => {
    const server = await startHttpServer(noStream((_request, response) => response.writeHead(202).end()));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { closed, send } = await openLegacy(server);
    vi.advanceTimersByTime(600_000);
    send({ id: 'ask', result: {} });
    await expect.poll(() => server.requests.at(-1)!.message?.id).toBe('ask');
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(closed).toEqual([]);
  });

  test('is told of a cancelled request, whose stream is then closed', async () => {
    const server = await startHttpServer(
      noStream((request, response) => {
        if (request.message?.method === 'tools/call') beginEvents(response)(': x\n\n');
        else response.writeHead(202).end();
      }),
    );
    const { send } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'slow' } });
    await expect.poll(() => server.requests.some(({ message }) => message?.id === 2)).toBe(true);
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    const call = server.requests.find(({ message }) => message?.id === 2)!;
    await expect.poll(() => call.isAborted).toBe(true);
    expect(server.requests.at(-1)!.message).toMatchObject({ method: 'notifications/cancelled' });
  });

  test('goes on with an answer that broke off, where its stream has ids', async () => {
    const server = await startHttpServer(
      legacy((request, response) => {
        if (request.method === 'GET' && request.headers['last-event-id'] === undefined) response.writeHead(405).end();
        else if (request.method === 'GET') {
          const send = beginEvents(response);
          const isLast = request.headers['last-event-id'] === 'second';
          send(isLast ? eventOf({ jsonrpc: '2.0', id: 2, result: { ok: 1 } }, 'third') : 'id: second\ndata:\n\n');
          response.end();
        } else {
          beginEvents(response)('id: first\nretry: 5\ndata:\n\n');
          response.end();
        }
      }),
    );
    const { send, frames, failures } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"ok":1}}']);
    const resumed = server.requests.filter(({ headers }) => headers['last-event-id'] !== undefined);
    expect(resumed.map(({ headers }) => [headers['last-event-id'], headers['mcp-session-id']])).toEqual([
      ['first', 'session-1'],
      ['second', 'session-1'],
    ]);
    expect(failures).toEqual([]);
  });

  test.each([
    ['that has no ids', ': x\n\n', 405],
    ['that cannot be resumed', 'id: 1\nretry: 1\ndata:\n\n', 405],
    ['that is not known any more', 'id: 1\nretry: 1\ndata:\n\n', 404],
  ])('fails a request whose stream ended, %s', async (_what, event, status) => {
    const server = await startHttpServer(
      legacy((request, response) => {
        if (request.method === 'GET') response.writeHead(status).end();
        else if (request.message?.method === 'ping')
          sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
        else {
          beginEvents(response)(event);
          response.end();
        }
      }),
    );
    const { send, failures, closed } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => failures).toMatchObject([{ id: 2, code: 'UPSTREAM_EXITED', effect: 'unknown' }]);
    expect(failures[0]).not.toHaveProperty('isUnheard');
    expect(closed).toEqual([]);
  });
});

describe('a session that the server has forgotten', () => {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request' } };

  test.each<[string, Answer]>([
    ['with 404', (_request, response) => response.writeHead(404).end()],
    ['with 404 and our id', (request, response) => sendJson(response, { ...error, id: request.message.id }, 404)],
    ['with 400, and a ping too', (_request, response) => sendJson(response, error, 400)],
  ])('ends the connection; the call has not run: %s', async (_what, answer) => {
    const server = await startHttpServer(noStream(answer));
    const { send, failures, closed, frames } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => closed).toEqual(['its session has expired']);
    expect(failures).toMatchObject([{ id: 2, code: 'UPSTREAM_EXITED', effect: 'none' }]);
    expect(frames.filter((frame) => frame.includes('"id":2'))).toEqual([]);
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  test.each<[string, Answer]>([
    ['400 with an error', (_request, response) => sendJson(response, error, 400)],
    ['400 with a page', (_request, response) => response.writeHead(400).end('oops')],
    ['404 with an error', (_request, response) => sendJson(response, error, 404)],
    ['404 with our id', (request, response) => sendJson(response, { ...error, id: request.message?.id }, 404)],
    ['404 with nothing', (_request, response) => response.writeHead(404).end()],
  ])('is not what every refusal means: %s', async (_what, refuse) => {
    const server = await startHttpServer(
      noStream((request, response, raw) => {
        if (request.message?.method === 'ping')
          sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: {} });
        else refuse(request, response, raw);
      }),
    );
    const { send, failures, closed, frames } = await openLegacy(server);
    send({ method: 'notifications/roots/list_changed' });
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => frames.length + failures.length).toBeGreaterThan(0);
    const answer = '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Bad Request"}}';
    if (failures.length > 0) expect(failures).toMatchObject([{ code: 'UPSTREAM_REFUSED', effect: 'none' }]);
    else expect(frames.at(-1)).toBe(answer);
    expect(closed).toEqual([]);
  });

  test('every call that meets it is known not to have run; what runs is answered', async () => {
    const late = new Map<number, (status?: number) => void>();
    let goOn: (() => void) | undefined;
    const server = await startHttpServer(
      noStream((request, response) => {
        const { method, id } = request.message ?? {};
        const result = { jsonrpc: '2.0', id, result: {} };
        if (id === 2) {
          const send = beginEvents(response);
          send(': at work\n\n');
          goOn = () => send(eventOf(result));
        } else if (method === 'tools/call' && id !== 3) {
          late.set(id, (status) =>
            status === undefined ? sendJson(response, result) : response.writeHead(status).end(),
          );
        } else response.writeHead(404).end();
      }),
    );
    const { send, transport, failures, closed, frames } = await openLegacy(server);
    for (const id of [2, 3, 4, 5]) send({ id, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => [closed, late.size, goOn]).toEqual([['its session has expired'], 2, expect.anything()]);
    expect(transport.finish!()).toBe(true);
    late.get(4)!(404);
    await expect.poll(() => failures.map(({ id }) => id)).toEqual([3, 4]);
    for (const failure of failures) expect(failure).toMatchObject({ effect: 'none', isUnheard: true });
    // One has begun its answer, the other has not: both have run.
    late.get(5)!();
    goOn!();
    await expect.poll(() => frames.map((frame) => JSON.parse(frame).id).toSorted((a, b) => a - b)).toEqual([2, 5]);
    expect(transport.finish!()).toBe(false);
    expect(closed).toHaveLength(1);
    expect(server.requests.filter(({ message }) => message?.method === 'ping').length).toBeLessThanOrEqual(2);
  });

  test('is not assumed where the server does not say whether it is', async () => {
    const server = await startHttpServer(
      noStream((request, response, raw) => {
        if (request.message?.method === 'ping') raw.socket.destroy();
        else response.writeHead(404).end();
      }),
    );
    const { send, failures, closed } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => failures).toMatchObject([{ id: 2, code: 'UPSTREAM_REFUSED', status: 404, effect: 'none' }]);
    expect(closed).toEqual([]);
  });

  test.each([400, 404])('is noticed on the server’s own stream: %s', async (code) => {
    let opened = 0;
    const server = await startHttpServer(
      legacy((_request, response) => {
        if (opened++ > 0) response.writeHead(code).end();
        else {
          beginEvents(response)('retry: 1\n\n');
          response.end();
        }
      }),
    );
    const { closed } = await openLegacy(server);
    await expect.poll(() => closed).toEqual(['its session has expired']);
  });

  test.each([400, 404, 405, 200])(
    'is not what a server means that refuses a stream of its own with %s',
    async (code) => {
      const server = await startHttpServer(
        legacy((request, response) => {
          if (request.method === 'GET') sendJson(response, '{"error":"POST only"}', code);
          else sendJson(response, { jsonrpc: '2.0', id: request.message?.id, result: {} });
        }),
      );
      const { send, frames, closed } = await openLegacy(server);
      send({ id: 2, method: 'tools/list' });
      await expect.poll(() => frames.length).toBe(1);
      expect(closed).toEqual([]);
      expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    },
  );
});

test('an id of an event that no header may have is none: the stream is opened again without it', async () => {
  const server = await startHttpServer(
    legacy((request, response) => {
      if (request.method !== 'GET') return;
      beginEvents(response)('retry: 20\nid: \u0001\ndata: {"method":"notifications/x"}\n\n');
      response.end();
    }),
  );
  const { closed } = await openLegacy(server);
  const gets = () => server.requests.filter(({ method }) => method === 'GET');
  await expect.poll(() => gets().length).toBeGreaterThan(2);
  expect(gets().map(({ headers }) => headers['last-event-id'])).not.toContain('\u0001');
  expect(closed).toEqual([]);
});

describe('closing', () => {
  test('ends every stream at once, though the server does not answer the farewell', async () => {
    const server = await startHttpServer(
      legacy((request, response) => {
        if (request.method !== 'DELETE') beginEvents(response)(': x\n\n');
      }),
    );
    const { transport, send, failures, closed } = await openLegacy(server);
    send({ id: 2, method: 'tools/call', params: { name: 'x' } });
    await expect.poll(() => server.requests.some(({ message }) => message?.id === 2)).toBe(true);
    await Promise.all([transport.close(), transport.close()]);
    await expect
      .poll(() => server.requests.every(({ method, isAborted }) => method === 'POST' || isAborted))
      .toBe(true);
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect([failures, closed]).toEqual([[], []]);
    send({ id: 3, method: 'ping' });
    expect(transport.queuedBytes).toBe(0);
  });
});
