import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { toolResult } from '../../../../src/upstream/transports/ide-rest/dialect.ts';
import { transportFor } from '../../../../src/upstream/transports/index.ts';
import type { TransportContext } from '../../../../src/upstream/transports/transport.ts';
import { jsonBytes, toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type HttpServer, type SeenRequest, sendJson, startHttpServer } from '../../../support/http/http-server.ts';
import { remoteEntryOf } from '../entries.ts';

const CONTEXT = { log: createLog({ level: 'silent' }), env: {}, maxFrameBytes: 100_000 } as unknown as TransportContext;
const LIST = '[ {"name":"read" , "inputSchema":{"type":"object","x":1.0}} ]';

/** A plug-in below `prefix` whose list is LIST; its tools are for the test to answer. */
function startIde(
  tools: (request: SeenRequest, response: ServerResponse) => unknown,
  { prefix = '/mcp', list = (): string => LIST } = {},
): Promise<HttpServer> {
  return startHttpServer((request, response) => {
    if (request.path === `${prefix}/list_tools`) sendJson(response, list());
    else if (request.method === 'GET') sendJson(response, { status: null, error: 'Unknown tool: ' }, 404);
    else tools(request, response);
  });
}

async function open(url: string) {
  const entry = remoteEntryOf(url, { type: 'ide-rest', headers: { 'X-Key': 'k' } });
  const frames: string[] = [];
  const failures: unknown[] = [];
  const closed: string[] = [];
  const transport = await (await transportFor(entry)).open(
    entry,
    {
      onFrame: (frame) => frames.push(toBuffer(frame.bytes()).toString()),
      onLostLine: () => undefined,
      onRequestFailed: (id, failure) => failures.push({ id, ...failure }),
      toolText: () => undefined,
      onStderr: () => undefined,
      isAwaited: () => true,
      onClosed: (reason) => closed.push(reason),
    },
    CONTEXT,
  );
  onTestFinished(() => transport.close());
  const send = (message: object) => transport.send(jsonBytes({ jsonrpc: '2.0', ...message }));
  const call = (id: number, name: string, args = '{}') =>
    transport.send(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":${jsonBytes(name)},"arguments":${args}}}`,
    );
  return { send, call, frames, failures, closed };
}

const originOf = ({ port }: HttpServer) => `http://127.0.0.1:${port}`;
const noTool = (_request: SeenRequest, response: ServerResponse) => sendJson(response, { status: 'ok', error: null });

describe('what it is to the rest', () => {
  test.each(['/mcp', '/api/mcp'])('the paths begin with %s, which is found out by asking', async (prefix) => {
    const ide = await startIde(noTool, { prefix });
    const { call, frames } = await open(originOf(ide));
    call(1, 'read');
    await expect
      .poll(() => frames)
      .toEqual(['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}}']);
    expect(ide.requests.at(-1)).toMatchObject({ method: 'POST', path: `${prefix}/read` });
    expect(ide.requests.every(({ headers }) => headers['x-key'] === 'k')).toBe(true);
  });

  test('it answers like a legacy MCP server', async () => {
    const { send, frames } = await open(originOf(await startIde(noTool)));
    send({ id: 1, method: 'server/discover' });
    await expect.poll(() => frames.length).toBe(1);
    expect(JSON.parse(frames[0]!).error.code).toBe(-32601);
    send({ id: 2, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    await expect.poll(() => frames.length).toBe(2);
    expect(JSON.parse(frames[1]!).result).toMatchObject({
      protocolVersion: '2024-11-05',
      capabilities: { tools: { listChanged: true } },
    });
    send({ id: 3, method: 'ping' });
    await expect.poll(() => frames[2]).toBe('{"jsonrpc":"2.0","id":3,"result":{}}');
  });

  test.each([
    ['a bare array', LIST],
    ['an object with tools', `{"tools":${LIST}}`],
  ])('the list keeps its bytes: %s', async (_name, list) => {
    const { send, frames } = await open(originOf(await startIde(noTool, { list: () => list })));
    send({ id: 1, method: 'tools/list', params: {} });
    await expect.poll(() => frames).toEqual([`{"jsonrpc":"2.0","id":1,"result":{"tools":${LIST}}}`]);
  });

  test('what listens there and is no plug-in is not taken for one', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, { hello: 'there' }));
    await expect(open(originOf(server))).rejects.toThrow("no IDE's plug-in: HTTP 200 and no list of tools");
    await server.stop();
    await expect(open(originOf(server))).rejects.toThrow('connection refused');
  });
});

describe('a call', () => {
  test('has the arguments in their own bytes and a name that is encoded', async () => {
    const ide = await startIde(noTool);
    const { call, frames } = await open(`${originOf(ide)}/mcp/`);
    call(1, 'größe/x?', '{"a":1.0, "b":"\\u00e9"}');
    await expect.poll(() => frames.length).toBe(1);
    expect(ide.requests.at(-1)).toMatchObject({
      path: '/mcp/gr%C3%B6%C3%9Fe%2Fx%3F',
      body: '{"a":1.0, "b":"\\u00e9"}',
    });
  });

  test.each(['.', '..', '', '\ud800'])('of a name that no path can have (%j) goes nowhere', async (name) => {
    const ide = await startIde(noTool);
    const { send, frames } = await open(originOf(ide));
    send({ id: 1, method: 'tools/call', params: { name } });
    await expect.poll(() => frames.length).toBe(1);
    expect(JSON.parse(frames[0]!).result.isError).toBe(true);
    expect(ide.requests.some(({ method }) => method === 'POST')).toBe(false);
  });

  test.each([
    ['unknown', 404, 'Unknown tool: x'],
    ['with a bad body', 500, 'Error handling request: …'],
    ['that fails', 200, 'no editor is open'],
  ])('%s is a tool error', async (_name, status, error) => {
    const ide = await startIde((_request, response) => sendJson(response, { status: null, error }, status));
    const { call, frames } = await open(originOf(ide));
    call(1, 'x');
    await expect.poll(() => frames.length).toBe(1);
    expect(JSON.parse(frames[0]!).result).toEqual({ content: [{ type: 'text', text: error }], isError: true });
  });

  test.each([
    ['something else', (response: ServerResponse) => sendJson(response, [1]), 'UPSTREAM_INVALID_ANSWER'],
    ['no JSON', (response: ServerResponse) => response.end('<html>'), 'UPSTREAM_INVALID_ANSWER'],
    ['HTTP 401', (response: ServerResponse) => response.writeHead(401).end(), 'UPSTREAM_REFUSED'],
    ['too much', (response: ServerResponse) => sendJson(response, { status: 'x'.repeat(200_000) }), 'ANSWER_TOO_LARGE'],
    [
      'the half of an answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"status":');
        setImmediate(() => response.destroy());
      },
      'UPSTREAM_EXITED',
    ],
  ])('that is answered with %s fails alone', async (_name, answer, code) => {
    const ide = await startIde((request, response) =>
      request.path.endsWith('/good') ? noTool(request, response) : answer(response),
    );
    const { call, frames, failures, closed } = await open(originOf(ide));
    call(1, 'bad');
    await expect.poll(() => failures).toEqual([expect.objectContaining({ id: 1, code })]);
    call(2, 'good');
    await expect.poll(() => frames.length).toBe(1);
    expect(closed).toEqual([]);
  });

  test('that is cancelled is aborted, and its answer not waited for', async () => {
    const ide = await startIde(() => undefined);
    const { call, send, frames, failures } = await open(originOf(ide));
    call(7, 'hangs');
    await expect.poll(() => ide.requests.some(({ method }) => method === 'POST')).toBe(true);
    send({ method: 'notifications/cancelled', params: { requestId: 7 } });
    await expect.poll(() => ide.requests.at(-1)!.isAborted).toBe(true);
    expect([frames, failures]).toEqual([[], []]);
  });

  test('that finds nobody there ends the connection', async () => {
    const ide = await startIde(noTool);
    const { call, failures, closed } = await open(originOf(ide));
    await ide.stop();
    call(1, 'read');
    await expect.poll(() => closed).toEqual(['connection refused']);
    expect(failures).toEqual([{ id: 1, code: 'UPSTREAM_NOT_CONNECTED', reason: 'connection refused', effect: 'none' }]);
  });
});

describe('a list that nobody announces', () => {
  test('is looked at every ten seconds, less often while it stays, and told once when it has changed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let list = LIST;
    const ide = await startIde(noTool, { list: () => list });
    const { send, frames } = await open(originOf(ide));
    const looks = () => ide.requests.filter(({ path }) => path.endsWith('/list_tools')).length;
    send({ id: 1, method: 'tools/list' });
    await vi.waitUntil(() => frames.length === 1);
    send({ method: 'notifications/initialized' });
    const before = looks();
    await vi.advanceTimersByTimeAsync(11_500);
    await vi.waitUntil(() => looks() === before + 1);
    await vi.advanceTimersByTimeAsync(11_500);
    expect(looks()).toBe(before + 1);
    list = '[]';
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.waitUntil(() => frames.length === 2);
    expect(frames[1]).toBe('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await vi.advanceTimersByTimeAsync(11_500);
    await vi.waitUntil(() => looks() === before + 3);
    expect(frames).toHaveLength(2);
  });

  test('cannot be looked at any more once nobody is there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ide = await startIde(noTool);
    const { send, closed } = await open(originOf(ide));
    send({ method: 'notifications/initialized' });
    await ide.stop();
    await vi.advanceTimersByTimeAsync(11_500);
    await vi.waitUntil(() => closed.length === 1);
    expect(closed).toEqual(['connection refused']);
  });
});

describe('toolResult', () => {
  const resultOf = (answer: string, isFailure = false): string | undefined => {
    const result = toolResult(Frame.of(Buffer.from(answer)), isFailure);
    return result === undefined ? undefined : toBuffer(result).toString();
  };
  const block = (text: string) => `{"type":"text","text":${text}}`;

  test.each([
    ['a text', '{"status":"a\\u00e9","error":null}', `{"content":[${block('"a\\u00e9"')}]}`],
    ['nothing at all', '{"status":null,"error":null}', '{"content":[]}'],
    ['the text of an array', '{"status":"[1]"}', `{"content":[${block('"[1]"')}]}`],
    [
      'the text of an object, numbers as they are',
      '{"status":" {\\"a\\":1.0}"}',
      `{"content":[${block('" {\\"a\\":1.0}"')}],"structuredContent":{"a":1.0}}`,
    ],
    ['what only begins like one', '{"status":"{ x"}', `{"content":[${block('"{ x"')}]}`],
    [
      'an object that is none of a string',
      '{"status":{"a":9007199254740993}}',
      `{"content":[${block('"{\\"a\\":9007199254740993}"')}],"structuredContent":{"a":9007199254740993}}`,
    ],
    ['a number', '{"status":1.0}', `{"content":[${block('"1.0"')}]}`],
    ['_meta', '{"status":"x","_meta":{"t":1.0}}', `{"content":[${block('"x"')}],"_meta":{"t":1.0}}`],
    [
      'an error beside a status',
      '{"status":"half","error":"no"}',
      `{"content":[${block('"no"')},${block('"half"')}],"isError":true}`,
    ],
  ])('%s', (_name, answer, expected) => {
    expect(resultOf(answer)).toBe(expected);
  });

  test('is undefined for what is no answer of this dialect', () => {
    for (const other of ['[]', '"x"', '{}', '{"jsonrpc":"2.0","error":{}}']) expect(resultOf(other)).toBeUndefined();
  });

  test('gives any status back as it was: as text, and as structure where it is an object', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(json, fc.boolean(), (value, isNested) => {
        const status = isNested ? JSON.stringify(value) : value;
        const result = JSON.parse(resultOf(JSON.stringify({ status, error: null }))!);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        expect(result.structuredContent).toEqual(isObject ? JSON.parse(JSON.stringify(value)) : undefined);
        if (typeof status === 'string') expect(result.content[0].text).toBe(status);
      }),
    );
  });
});
