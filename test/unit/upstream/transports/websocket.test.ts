import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { MAX_FRAME_BYTES, open } from './opened.ts';

const ANSWER = '{"id":1,"result":{}}';

interface Server {
  readonly url: string;
  readonly received: { readonly text: string; readonly isBinary: boolean }[];
  readonly sockets: WebSocket[];
  readonly headers: Record<string, unknown>[];
}

async function listen(onMessage: (socket: WebSocket) => void = () => undefined, options: object = {}): Promise<Server> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  const received: Server['received'] = [];
  const sockets: WebSocket[] = [];
  const headers: Server['headers'] = [];
  server.on('connection', (socket, request) => {
    sockets.push(socket);
    headers.push(request.headers);
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer, isBinary) => {
      received.push({ text: data.toString(), isBinary });
      onMessage(socket);
    });
  });
  await new Promise((resolve) => server.on('listening', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, received, sockets, headers };
}

const openTo = ({ url }: { url: string }, headers = {}, maxFrameBytes?: number) =>
  open(url, { type: 'websocket', headers }, maxFrameBytes === undefined ? {} : { maxFrameBytes });

/** Opens, asks, and so has a server that answers with these frames. */
async function answeredWith(...answers: (string | Buffer)[]) {
  const server = await listen((socket) => {
    for (const answer of answers) socket.send(answer);
  });
  const opened = await openTo(server);
  opened.send({ id: 1, method: 'x' });
  return { server, ...opened };
}

test('one text frame a message, with the subprotocol and the headers of the entry', async () => {
  const server = await listen((socket) => socket.send(ANSWER));
  const { send, frames, transport } = await openTo(server, { Authorization: 'Bearer abc', 'User-Agent': 'mine' });
  send({ id: 1, method: 'a' });
  send({ id: 2, method: 'b' });
  expect(transport.queuedBytes).toBeGreaterThan(0);
  await expect.poll(() => frames).toEqual([ANSWER, ANSWER]);
  expect(server.received).toEqual([
    { text: '{"jsonrpc":"2.0","id":1,"method":"a"}', isBinary: false },
    { text: '{"jsonrpc":"2.0","id":2,"method":"b"}', isBinary: false },
  ]);
  expect(server.headers[0]).toMatchObject({
    'sec-websocket-protocol': 'mcp',
    authorization: 'Bearer abc',
    'user-agent': 'mine',
  });
});

describe('a frame', () => {
  test('of bytes is read like one of text', async () => {
    const { frames } = await answeredWith(Buffer.from(ANSWER));
    await expect.poll(() => frames).toEqual([ANSWER]);
  });

  test('may have several messages, one a line', async () => {
    const { frames } = await answeredWith(`${ANSWER}\n{"method":"a"}\r\n\n{"method":"b"}`, ANSWER);
    await expect.poll(() => frames).toEqual([ANSWER, '{"method":"a"}', '{"method":"b"}', ANSWER]);
  });

  test('may have one message in several lines, which becomes one line', async () => {
    const pretty = JSON.stringify({ id: 1, result: { a: [1] } }, undefined, 2);
    const { frames } = await answeredWith(pretty, `${ANSWER}\n`);
    await expect.poll(() => frames).toEqual([pretty.replaceAll('\n', ' '), ANSWER]);
  });

  test('that is none is lost, and nothing else; an empty one is nothing', async () => {
    const { frames, lost } = await answeredWith('welcome!', '', ANSWER);
    await expect.poll(() => frames).toEqual([ANSWER]);
    expect(lost).toEqual(['not-json']);
  });

  test('of 10 MB passes both ways', async () => {
    const large = JSON.stringify({ id: 1, result: 'x'.repeat(10_000_000) });
    const server = await listen((socket) => socket.send(large));
    const { send, frames } = await openTo(server, {}, 64_000_000);
    send({ id: 1, method: 'x', params: { text: 'y'.repeat(10_000_000) } });
    await expect.poll(() => frames.length).toBe(1);
    expect(frames[0] === large).toBe(true);
    expect(server.received[0]!.text.length).toBeGreaterThan(10_000_000);
  });

  test('with very many messages is read in turns, all of it', async () => {
    const count = 8_000;
    const { frames } = await answeredWith(Array.from({ length: count }, (_, id) => `{"id":${id}}`).join('\n'));
    await expect.poll(() => frames.length).toBe(count);
    expect(frames.at(-1)).toBe(`{"id":${count - 1}}`);
  });
});

describe('the end of a connection', () => {
  test.each<[string, (socket: WebSocket) => void, string]>([
    ['with code and words', (socket) => socket.close(1001, 'bye'), 'it closed the connection (code 1001: "bye")'],
    ['with a code', (socket) => socket.close(4000), 'it closed the connection (code 4000)'],
    ['without a code', (socket) => socket.close(), 'it closed the connection'],
    ['without a word', (socket) => socket.terminate(), 'the connection broke'],
    [
      'that is broken',
      // The transport below it, from behind: a frame of a kind that there is not.
      (socket) => (socket as unknown as { _socket: Socket })._socket.write(Buffer.from([0x8f, 0x00])),
      'it sent what is no frame of WebSocket (WS_ERR_INVALID_OPCODE)',
    ],
    [
      'that we end, because a frame is too large',
      (socket) => socket.send('x'.repeat(MAX_FRAME_BYTES + 1)),
      'it sent a message over limits.frameBytes',
    ],
  ])('%s', async (_name, end, reason) => {
    const server = await listen((socket) => {
      socket.send(ANSWER);
      end(socket);
    });
    const { send, frames, closed } = await openTo(server);
    send({ id: 1, method: 'x' });
    await expect.poll(() => closed).toEqual([reason]);
    expect(frames).toEqual([ANSWER]);
  });

  test('by us is told to the peer, and reported to nobody', async () => {
    const server = await listen();
    const { send, transport, closed } = await openTo(server);
    send({ method: 'notifications/last' });
    await expect.poll(() => server.received.length).toBe(1);
    const code = new Promise((resolve) => server.sockets[0]!.on('close', resolve));
    await Promise.all([transport.close(), transport.close()]);
    expect([await code, closed]).toEqual([1000, []]);
  });

  test('by us, though the peer breaks off instead of saying goodbye', async () => {
    const server = await listen();
    const { send, transport, closed } = await openTo(server);
    send({ method: 'x' });
    await expect.poll(() => server.received.length).toBe(1);
    const raw = (server.sockets[0] as unknown as { _socket: Socket })._socket;
    raw.removeAllListeners('data').on('data', () => raw.resetAndDestroy());
    await transport.close();
    expect(closed).toEqual([]);
  });

  test('before there was one', async () => {
    const { transport, closed } = await openTo(await listen());
    await transport.close();
    expect(closed).toEqual([]);
  });
});

describe('a connection that is not made', () => {
  test('because nobody listens', async () => {
    const { closed } = await openTo({ url: 'ws://127.0.0.1:1/mcp' });
    await expect.poll(() => closed).toEqual(['connection refused']);
  });

  test.each([
    [401, 'it asks for authorization (HTTP 401), which "headers" of its entry must give'],
    [404, 'there is nothing at its url (HTTP 404)'],
    [302, 'it opens no WebSocket (HTTP 302)'],
    [200, 'it opens no WebSocket (HTTP 200)'],
  ])('because the answer is HTTP %s', async (status, reason) => {
    const server = createServer((_request, response) => response.writeHead(status, { location: '/elsewhere' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { closed } = await openTo({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    await expect.poll(() => closed).toEqual([reason]);
  });
});

test('a server that says nothing of the subprotocol is taken at its word', async () => {
  const server = await listen((socket) => socket.send(ANSWER), { handleProtocols: () => false });
  const { send, frames } = await openTo(server);
  send({ id: 1, method: 'x' });
  await expect.poll(() => frames).toEqual([ANSWER]);
});
