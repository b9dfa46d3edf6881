import { mkdtempSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeFolder } from '../../../support/folders.ts';
import { MAX_FRAME_BYTES, open } from './opened.ts';

interface SocketServer {
  readonly url: string;
  readonly type: 'tcp' | 'unix';
  /** What came in, of all connections. */
  readonly received: () => string;
  readonly sockets: readonly Socket[];
}

type Answer = (socket: Socket, received: string) => void;

async function listen(at: net.ListenOptions, answer: Answer): Promise<{ server: net.Server } & SocketServer> {
  let received = '';
  const sockets: Socket[] = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += String(chunk);
      answer(socket, String(chunk));
    });
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const isPort = typeof address === 'object' && address !== null;
  const url = isPort ? `tcp://127.0.0.1:${address.port}` : `unix://${address}`;
  return { server, url, type: isPort ? 'tcp' : 'unix', received: () => received, sockets };
}

function socketPath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct a%20b-'));
  onTestFinished(() => removeFolder(folder));
  return path.join(folder, 'server.sock');
}

const PLACES = {
  tcp: () => ({ port: 0, host: '127.0.0.1' }),
  unix: () => ({ path: socketPath() }),
} as const;

describe.each(['tcp', 'unix'] as const)('%s', (type) => {
  const start = (answer: Answer = () => undefined) => listen(PLACES[type](), answer);

  test('what is sent before the connection is made waits for it; one message a line', async () => {
    const server = await start((socket) => socket.write('{"id":1,"result":{}}\n{"id":2,"result":{}}\r\n\n'));
    const { send, frames, transport } = await open(server.url, { type });
    send({ id: 1, method: 'ping' });
    send({ id: 2, method: 'ping' });
    await expect.poll(() => frames).toEqual(['{"id":1,"result":{}}', '{"id":2,"result":{}}']);
    expect(server.received()).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    );
    expect([transport.queuedBytes, transport.pid]).toEqual([0, undefined]);
  });

  test('lines of 10 MB pass in both directions', async () => {
    const large = JSON.stringify({ id: 1, result: { text: 'ä'.repeat(5_000_000) } });
    const server = await start((socket, chunk) => {
      if (chunk.endsWith('\n')) socket.write(`${large}\n`);
    });
    const { send, frames } = await open(server.url, { type }, { maxFrameBytes: 64_000_000 });
    send({ id: 1, method: 'x', params: { text: 'x'.repeat(10_000_000) } });
    await expect.poll(() => frames.length).toBe(1);
    expect(frames[0] === large).toBe(true);
    expect(server.received().length).toBeGreaterThan(10_000_000);
  });

  test('a line over the limit is lost, noise is too, and the next one is read', async () => {
    const server = await start((socket) => {
      socket.write(`{"id":1,"result":"${'x'.repeat(MAX_FRAME_BYTES)}"}\nwelcome!\n{"id":2,"result":{}}\n`);
    });
    const { send, frames, lost } = await open(server.url, { type });
    send({ id: 1, method: 'x' });
    await expect.poll(() => frames).toEqual(['{"id":2,"result":{}}']);
    expect(lost).toEqual(['too-large', 'not-json']);
  });

  test('the limit of a message follows the config while the connection is open', async () => {
    const server = await start((socket, chunk) => {
      const id = chunk.includes('"id":1') ? 1 : 2;
      socket.write(`{"id":${id},"result":"${'x'.repeat(500)}"}\n`);
    });
    let maxFrameBytes = 100;
    const { send, frames, lost } = await open(server.url, { type }, { maxFrameBytes: () => maxFrameBytes });
    send({ id: 1, method: 'x' });
    await expect.poll(() => lost).toEqual(['too-large']);
    maxFrameBytes = 10_000;
    send({ id: 2, method: 'x' });
    await expect.poll(() => frames.length).toBe(1);
  });

  test('a peer that says no more is gone, after its last line was read', async () => {
    const server = await start((socket) => socket.end('{"id":1,"result":{}}'));
    const { send, frames, closed } = await open(server.url, { type });
    send({ id: 1, method: 'x' });
    await expect.poll(() => closed).toEqual(['it closed the connection']);
    expect(frames).toEqual(['{"id":1,"result":{}}']);
    await expect.poll(() => server.sockets[0]!.destroyed || server.sockets[0]!.readableEnded).toBe(true);
  });

  test('nobody there', async () => {
    const { server, url } = await start();
    await new Promise((resolve) => server.close(resolve));
    const { closed } = await open(url, { type });
    const reason =
      type === 'tcp'
        ? 'connection refused'
        : 'there is no socket at its url (ENOENT): start the server, or correct the path in url';
    await expect.poll(() => closed).toEqual([reason]);
  });

  test('nothing is reported after it was closed, and the peer sees the end behind all that was sent', async () => {
    const server = await start();
    const { send, transport, frames, closed } = await open(server.url, { type });
    await expect.poll(() => server.sockets.length).toBe(1);
    const ended = new Promise((resolve) => server.sockets[0]!.on('end', resolve));
    send({ method: 'notifications/last' });
    const first = transport.close();
    await ended;
    expect(server.received()).toContain('notifications/last');
    server.sockets[0]!.end('{"id":1,"result":{}}\n');
    await Promise.all([first, transport.close()]);
    expect([frames, closed]).toEqual([[], []]);
  });

  test('a peer that does not read, and never answers, holds nobody up', async () => {
    const server = await start();
    const { send, transport, closed } = await open(server.url, { type });
    await expect.poll(() => server.sockets.length).toBe(1);
    server.sockets[0]!.pause();
    for (let id = 0; id < 40; id++) send({ id, method: 'x', params: 'x'.repeat(1_000_000) });
    expect(transport.queuedBytes).toBeGreaterThan(20_000_000);
    await transport.close();
    expect(closed).toEqual([]);
  });

  test('it can be closed before it is connected', async () => {
    const server = await start();
    const { transport, closed } = await open(server.url, { type });
    await transport.close();
    expect(closed).toEqual([]);
  });
});

test('a connection that is reset is lost', async () => {
  const server = await listen(PLACES.tcp(), (socket) => socket.resetAndDestroy());
  const { send, closed } = await open(server.url, { type: 'tcp' });
  send({ id: 1, method: 'x' });
  await expect.poll(() => closed).toEqual(['the connection broke (ECONNRESET)']);
});

test('a peer that resets the connection when we leave is left all the same', async () => {
  const server = await listen(PLACES.tcp(), () => undefined);
  const { send, transport, closed } = await open(server.url, { type: 'tcp' });
  send({ method: 'x' });
  await expect.poll(() => server.sockets.length).toBe(1);
  server.sockets[0]!.on('end', () => server.sockets[0]!.resetAndDestroy());
  await transport.close();
  expect(closed).toEqual([]);
});

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

test.skipIf(!hasIpv6).each(['127.0.0.1', '::1'])(
  'localhost finds a server that listens on %s only, whichever of them the hosts file has',
  async (host) => {
    const server = await listen({ port: 0, host }, (socket) => socket.write('{"id":1,"result":{}}\n'));
    const { send, frames } = await open(server.url.replace('127.0.0.1', 'localhost'), { type: 'tcp' });
    send({ id: 1, method: 'x' });
    await expect.poll(() => frames.length).toBe(1);
  },
);

test.skipIf(!hasIpv6)('an IPv6 address stands in brackets', async () => {
  const server = await listen({ port: 0, host: '::1' }, (socket) => socket.write('{"id":1,"result":{}}\n'));
  const { send, frames } = await open(server.url.replace('127.0.0.1', '[::1]'), { type: 'tcp' });
  send({ id: 1, method: 'x' });
  await expect.poll(() => frames.length).toBe(1);
});

test('a path that no socket can have is not tried', async () => {
  await expect(open(`unix:///${'x'.repeat(110)}`, { type: 'unix' })).rejects.toThrow('longer than 103 bytes');
});
