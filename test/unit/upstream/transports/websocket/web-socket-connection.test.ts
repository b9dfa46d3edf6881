import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Authorization } from '../../../../../src/upstream/transports/transport.ts';
import { WebSocketConnection } from '../../../../../src/upstream/transports/websocket/web-socket-connection.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A socket that does nothing by itself. */
class Socket extends EventEmitter {
  readyState = 1;
  isPaused = false;
  readonly bufferedAmount = 3;
  readonly ping = vi.fn();
  readonly send = vi.fn();
  readonly close = vi.fn();
  readonly terminate = vi.fn();

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  refuse(statusCode: number): void {
    const response = Object.assign(new PassThrough(), { statusCode, headers: { 'www-authenticate': 'Bearer' } });
    this.emit('unexpected-response', { getHeader: (name: string) => `the ${name}` }, response);
  }
}

/** A connection that is being made. */
function connecting({ onRefused, proxy }: { onRefused?: Authorization['onRefused']; proxy?: string } = {}) {
  const sockets: Socket[] = [];
  const onOpen = vi.fn();
  const connection = new WebSocketConnection({
    open: () => {
      sockets.push(new Socket());
      return sockets.at(-1) as unknown as WebSocket;
    },
    proxy,
    authorization: onRefused && { onRefused },
    onOpen,
  });
  const onEnd = vi.fn();
  connection.messages.on('end', onEnd);
  return { connection, sockets, socket: sockets[0]!, onOpen, onEnd };
}

describe('a connection', () => {
  test('tells when it is made, and is kept alive until it ends', () => {
    const { connection, socket, onOpen } = connecting();
    expect(connection.wasOpen).toBe(false);
    onOpen.mockImplementation(() => expect(connection.wasOpen).toBe(true));
    socket.emit('open');
    expect(onOpen).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(socket.ping).toHaveBeenCalledTimes(2);
    socket.emit('close', 1005, '');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('sends text, and counts what is not taken', () => {
    const { connection, socket } = connecting();
    const message = Buffer.from('x');
    connection.send(message);
    expect(socket.send).toHaveBeenCalledExactlyOnceWith(message, { binary: false });
    expect(connection.queuedBytes).toBe(3);
  });

  test('reads no further than its messages are read', async () => {
    const { connection, socket } = connecting();
    socket.emit('message', Buffer.from('a'));
    expect(socket.isPaused).toBe(true);
    const seen: string[] = [];
    connection.messages.on('data', (data: Buffer) => seen.push(String(data)));
    await settled();
    expect([seen, socket.isPaused]).toEqual([['a'], false]);
  });

  test('takes a server that says nothing of the subprotocol at its word', () => {
    const { socket } = connecting();
    const silent = { headers: {} };
    const other = { headers: { 'sec-websocket-protocol': 'other' } };
    socket.emit('upgrade', silent);
    socket.emit('upgrade', other);
    expect([silent, other].map(({ headers }) => headers)).toEqual([
      { 'sec-websocket-protocol': 'mcp' },
      { 'sec-websocket-protocol': 'other' },
    ]);
  });
});

describe('the end of a connection', () => {
  test('ends its messages behind the last of them', async () => {
    const { connection, socket, onEnd } = connecting();
    const seen: string[] = [];
    connection.messages.on('data', (data: Buffer) => seen.push(String(data)));
    socket.emit('message', Buffer.from('a'));
    socket.emit('close', 1001, 'bye');
    await settled();
    expect([seen, onEnd.mock.calls.length]).toEqual([['a'], 1]);
    expect([connection.reason, connection.closedBecause]).toEqual([
      'it closed the connection (code 1001: "bye")',
      undefined,
    ]);
  });

  test('has the first reason that there was', () => {
    const { connection, socket } = connecting();
    socket.emit('open');
    socket.emit('error', Object.assign(new Error('x'), { code: 'ECONNRESET' }));
    socket.emit('error', new Error('y'));
    socket.emit('close', 1006, '');
    expect(connection.reason).toBe('the connection broke (ECONNRESET)');
  });

  test('names the proxy only if the connection was never made', () => {
    const never = connecting({ proxy: 'http://proxy.test' });
    const made = connecting({ proxy: 'http://proxy.test' });
    made.socket.emit('open');
    for (const { socket } of [never, made])
      socket.emit('error', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }));
    expect(never.connection.reason).toBe('connection refused; by way of the proxy http://proxy.test');
    expect(made.connection.reason).toBe('the connection broke (ECONNREFUSED)');
  });
});

describe('leaving', () => {
  test('says goodbye, and waits for the peer to do the same', async () => {
    const { connection, socket } = connecting();
    socket.emit('open');
    const left = connection.leave();
    await settled();
    expect(socket.close).toHaveBeenCalledExactlyOnceWith(1000);
    expect(socket.terminate).not.toHaveBeenCalled();
    socket.emit('close', 1000, '');
    await left;
    expect(socket.terminate).toHaveBeenCalledOnce();
  });

  test('does not wait for ever', async () => {
    const { connection, socket } = connecting();
    socket.emit('open');
    await connection.leave();
    expect(socket.terminate).toHaveBeenCalledOnce();
  });

  test.each<[string, (socket: Socket) => void]>([
    ['was never made', () => undefined],
    [
      'has ended',
      (socket) => {
        socket.emit('open');
        socket.readyState = 3;
      },
    ],
  ])('a connection that %s needs no goodbye', async (_what, prepare) => {
    const { connection, socket } = connecting();
    prepare(socket);
    await connection.leave();
    expect([socket.close.mock.calls.length, socket.terminate.mock.calls.length]).toEqual([0, 1]);
  });
});

describe('a refusal', () => {
  test('is shown to the authorization with what was sent; another token is tried on another socket', async () => {
    const onRefused = vi.fn(async () => 'retry' as const);
    const { connection, sockets, socket, onEnd } = connecting({ onRefused });
    connection.messages.resume();
    socket.refuse(401);
    await settled();
    expect([sockets.length, socket.terminate.mock.calls.length]).toEqual([2, 1]);
    // The socket that was replaced ends now, which says nothing.
    socket.emit('error', new Error('x'));
    socket.emit('close', 1006, '');
    await settled();
    expect([onEnd.mock.calls.length, connection.reason]).toEqual([0, 'it closed the connection']);
    sockets[1]!.refuse(403);
    await settled();
    const seen = { status: 401, challenge: 'Bearer', authorization: 'the authorization', isRepeated: false };
    expect(onRefused.mock.calls).toEqual([[seen], [{ ...seen, status: 403, isRepeated: true }]]);
  });

  test.each<[string, (connection: WebSocketConnection, socket: Socket) => unknown]>([
    ['we have left', (connection) => connection.leave()],
    ['the connection has broken', (_connection, socket) => socket.emit('close', 1006, '')],
  ])('is not answered with another try once %s', async (_what, end) => {
    let answer!: (outcome: 'retry') => void;
    const onRefused = () =>
      new Promise<'retry'>((resolve) => {
        answer = resolve;
      });
    const { connection, sockets, socket } = connecting({ onRefused });
    socket.refuse(401);
    end(connection, socket);
    answer('retry');
    await settled();
    expect(sockets).toHaveLength(1);
  });

  test.each<[string, Awaited<ReturnType<Authorization['onRefused']>>, string, string | undefined]>([
    ['only the user can end', failureOf('UPSTREAM_NEEDS_AUTH'), 'why', 'unauthorized'],
    ['is for now', failureOf('OVERLOADED'), 'why', undefined],
    ['has nothing to do with it', undefined, 'it refuses us (HTTP 403)', undefined],
  ])('that %s ends the connection', async (_what, outcome, reason, because) => {
    const { connection, socket } = connecting({ onRefused: async () => outcome });
    socket.refuse(403);
    await settled();
    expect(socket.terminate).toHaveBeenCalledOnce();
    expect([connection.reason, connection.closedBecause]).toEqual([reason, because]);
  });

  test('of which the authorization can make nothing ends the connection with its error', async () => {
    const { connection, socket } = connecting({ onRefused: () => Promise.reject(new Error('no store')) });
    socket.refuse(401);
    await settled();
    expect([connection.reason, socket.terminate.mock.calls.length]).toEqual(['no store', 1]);
  });
});

function failureOf(code: 'UPSTREAM_NEEDS_AUTH' | 'OVERLOADED') {
  return { code, reason: 'why', effect: 'none' } as const;
}
