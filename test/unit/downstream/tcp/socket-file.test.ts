import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../../src/core/addresses/listen.ts';
import { prepareSocketFile } from '../../../../src/downstream/tcp/socket-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

async function bind(bound: string) {
  const server = createServer();
  await listen(server, { path: bound }, () => undefined);
  onTestFinished(() => void server.close());
  return server;
}

async function publish(file: string) {
  const prepared = await prepareSocketFile(file);
  const server = await bind(prepared.bound);
  prepared.publish();
  return { prepared, server };
}

test('a socket that nobody listens on any more is replaced', async () => {
  const file = path.join(temporaryFolder(), 'a.sock');
  const { server } = await publish(file);
  // Node removes the name it has bound, so this one stays as after a kill.
  await new Promise((resolve) => server.close(resolve));
  expect(existsSync(file)).toBe(true);
  const { prepared } = await publish(file);
  expect(statSync(file).isSocket()).toBe(true);
  prepared.remove();
  expect(existsSync(file)).toBe(false);
});

test('what another program has put in its place is not removed', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'a.sock');
  const { prepared } = await publish(file);
  renameSync(file, path.join(folder, 'moved.sock'));
  writeFileSync(file, 'theirs');
  prepared.remove();
  expect(existsSync(file)).toBe(true);
});

test('a folder in which others may write is refused', async () => {
  await expect(prepareSocketFile('/tmp/viaduct-test.sock')).rejects.toThrow('the socket cannot be in /tmp');
});
