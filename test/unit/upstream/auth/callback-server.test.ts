import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenForCallback } from '../../../../src/upstream/auth/callback-server.ts';
import { freePort } from '../../../support/free-port.ts';

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('the next port is tried where one is taken', async () => {
  const port = await freePort();
  const callback = await listenForCallback([await takenPort(), await takenPort(), port], 'state');
  onTestFinished(() => callback.close());
  expect(callback.redirectUri).toBe(`http://127.0.0.1:${port}/callback`);
  expect((await fetch(`${callback.redirectUri}?state=state&code=c`)).status).toBe(200);
  expect((await callback.answer).get('code')).toBe('c');
});

test('where all are taken, the system says so', async () => {
  await expect(listenForCallback([await takenPort(), await takenPort()], 's')).rejects.toThrow('EADDRINUSE');
});
