import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { letGo } from '../../../../src/downstream/tcp/let-go.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A connection whose client takes what is written to it when the test says so. */
function connection() {
  let take: () => void = () => undefined;
  const socket = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      take = done;
    },
    allowHalfOpen: true,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { socket: socket as unknown as Socket, take: () => take(), turn };
}

test('a client that has got everything has half a second to hang up', async () => {
  const { socket, take, turn } = connection();
  socket.end('bye');
  letGo(socket);
  vi.advanceTimersByTime(600);
  expect(socket.destroyed).toBe(false);
  take();
  await turn();
  vi.advanceTimersByTime(499);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
});

test('one whose output was taken already has it too', async () => {
  const { socket, take, turn } = connection();
  socket.end('bye');
  take();
  await turn();
  expect(socket.writableFinished).toBe(true);
  letGo(socket);
  vi.advanceTimersByTime(500);
  expect(socket.destroyed).toBe(true);
});

test('a client that never reads loses its connection after 30 seconds', () => {
  const { socket } = connection();
  socket.end('bye');
  letGo(socket);
  vi.advanceTimersByTime(29_999);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
});

test('no timer is left of a connection that is closed', async () => {
  const { socket, take, turn } = connection();
  socket.end('bye');
  letGo(socket);
  take();
  await turn();
  expect(vi.getTimerCount()).toBe(2);
  socket.destroy();
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});
