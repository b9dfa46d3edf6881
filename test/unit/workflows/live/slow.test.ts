import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Client, type LiveSetup, output, startHub } from './live-setup.ts';

const CHUNK = 64 * 1024;
const TOO_SLOW = { code: 1013, reason: expect.stringContaining('too slow') };

/** A process that writes so many MB, and waits where it is told to. Gives the SHA-256 of what it wrote. */
async function produce({ feed }: LiveSetup, megabytes: number, onWait?: () => void): Promise<string> {
  const written = createHash('sha256');
  for (let index = 0; index < (megabytes * 1_000_000) / CHUNK; index++) {
    const text = `${index} `.repeat(CHUNK).slice(0, CHUNK);
    written.update(text);
    const room = feed.publish(output(text));
    if (room !== undefined) onWait?.();
    await room;
    // As a pipe does, it lets others have a turn.
    await new Promise(setImmediate);
  }
  return written.digest('hex');
}

/** Opens a client that keeps nothing but the SHA-256 of the output it gets. */
async function readAll(url: string) {
  const client = await Client.open(url);
  await client.subscribe('process:proc-1');
  client.socket.removeAllListeners('message');
  const read = createHash('sha256');
  client.socket.on('message', (data: Buffer) => {
    const { type, data: text } = JSON.parse(data.toString());
    if (type === 'process_output') read.update(text);
  });
  return { client, digest: () => read.copy().digest('hex') };
}

test('one that does not read, and one that reads 100 KB a second, are dropped; a third gets everything in order', async () => {
  const setup = await startHub({ slowMs: 800 });
  const { server, lines } = setup;
  const fast = await readAll(server.url);
  const deaf = await Client.open(server.url);
  await deaf.subscribe('process:proc-1');
  deaf.socket.pause();
  const slow = await readAll(server.url);
  slow.client.socket.on('message', () => {
    slow.client.socket.pause();
    setTimeout(() => slow.client.socket.resume(), (CHUNK / 100_000) * 1_000);
  });

  const digest = await produce(setup, 40);
  await fast.client.settle();

  expect(fast.digest()).toBe(digest);
  expect(server.hub.clients).toBe(1);
  const dropped = lines.filter(({ event }) => event === 'live-dropped');
  expect(dropped).toHaveLength(2);
  for (const { waiting } of dropped) expect(waiting).toBeLessThan(10_000_000);
  // It finds out why, once it reads.
  deaf.socket.resume();
  expect(await deaf.closed).toEqual(TOO_SLOW);
  slow.client.socket.terminate();
});

test('one that pauses for less than its patience is waited for, and loses nothing', async () => {
  const setup = await startHub({ slowMs: 60_000 });
  const { client, digest } = await readAll(setup.server.url);
  client.socket.pause();
  const written = await produce(setup, 30, () => client.socket.resume());
  await client.settle();
  expect(digest()).toBe(written);
});

test('one that is alone and does not read holds its process up no longer than its patience', async () => {
  const setup = await startHub({ slowMs: 400 });
  const client = await Client.open(setup.server.url);
  await client.subscribe('process:proc-1');
  client.socket.pause();
  await produce(setup, 30);
  expect(setup.server.hub.clients).toBe(0);
  expect(setup.feed.channels).toEqual([]);
});

test('a source that does not wait is heard until 16 MiB more than there is room for', async () => {
  const { feed, server, lines } = await startHub({ slowMs: 600_000 });
  const client = await Client.open(server.url);
  await client.subscribe('process:proc-1');
  client.socket.pause();
  const text = 'x'.repeat(1024 * 1024);
  let published = 0;
  while (server.hub.clients === 1 && published < 100) {
    void feed.publish(output(text));
    published++;
  }
  expect(published).toBeLessThan(30);
  expect(lines.find(({ event }) => event === 'live-dropped').waiting).toBeGreaterThan(24 * 1024 * 1024);
});

test('one that goes while a process waits for it lets the process go on', async () => {
  const setup = await startHub({ slowMs: 600_000 });
  const client = await Client.open(setup.server.url);
  await client.subscribe('process:proc-1');
  client.socket.pause();
  await produce(setup, 30, () => client.socket.terminate());
  expect(setup.server.hub.clients).toBe(0);
});
