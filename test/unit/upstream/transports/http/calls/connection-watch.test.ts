import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { wasStale, watchConnection } from '../../../../../../src/upstream/transports/http/calls/connection-watch.ts';

const socketOf = (facts: object) => Object.assign(new EventEmitter(), { setKeepAlive: vi.fn(), ...facts });

function watched(socket: EventEmitter, reusedSocket = false) {
  const request = Object.assign(new EventEmitter(), { reusedSocket });
  const connection = watchConnection(request as unknown as ClientRequest);
  expect(connection.isMade).toBe(false);
  request.emit('socket', socket);
  return connection;
}

describe('a connection', () => {
  test('is made once its socket has connected, and kept alive', () => {
    const socket = socketOf({ connecting: true });
    const connection = watched(socket);
    expect(connection.isMade).toBe(false);
    socket.emit('connect');
    expect(connection.isMade).toBe(true);
    expect(socket.setKeepAlive).toHaveBeenCalledExactlyOnceWith(true, 30_000);
  });

  test('over TLS is made once the handshake is done', () => {
    const socket = socketOf({ connecting: false, encrypted: true });
    const connection = watched(socket);
    socket.emit('connect');
    expect(connection.isMade).toBe(false);
    socket.emit('secureConnect');
    expect(connection.isMade).toBe(true);
  });

  test('that an agent hands over connected is made', () => {
    expect(watched(socketOf({ connecting: false })).isMade).toBe(true);
  });

  test('that is used again is made, and kept alive already', () => {
    const socket = socketOf({ connecting: false, encrypted: true });
    expect(watched(socket, true).isMade).toBe(true);
    expect(socket.setKeepAlive).not.toHaveBeenCalled();
  });
});

test.each([
  [true, 'ECONNRESET', true],
  [true, 'EPIPE', true],
  [true, 'ETIMEDOUT', false],
  [false, 'ECONNRESET', false],
])('a connection that was used again (%s) and ends with %s was stale: %s', (reusedSocket, code, isStale) => {
  const error = Object.assign(new Error(code), { code });
  expect(wasStale({ reusedSocket } as ClientRequest, error)).toBe(isStale);
});
