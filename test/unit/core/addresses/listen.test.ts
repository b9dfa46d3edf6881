import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../../src/core/addresses/listen.ts';

const host = '127.0.0.1';

function newServer(): Server {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

test('an address that is taken is an error, and another one can be tried', async () => {
  const [first, second] = [newServer(), newServer()];
  const lost: Error[] = [];
  await listen(first, { host, port: 0 }, () => undefined);
  const taken = listen(second, { host, port: portOf(first) }, (error) => lost.push(error));
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(second.listenerCount('error')).toBe(0);
  await listen(second, { host, port: 0 }, (error) => lost.push(error));
  expect(portOf(second)).not.toBe(portOf(first));
  expect(lost).toEqual([]);
});

test('what goes wrong later is told, and ends nothing', async () => {
  const server = newServer();
  const lost: string[] = [];
  await listen(server, { host, port: 0 }, (error) => lost.push(error.message));
  for (const message of ['accept EMFILE', 'once more']) server.emit('error', new Error(message));
  expect(lost).toEqual(['accept EMFILE', 'once more']);
});
