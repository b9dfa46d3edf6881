import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Client, output, startHub } from './live-setup.ts';

describe('a subscriber', () => {
  test('gets what happens on its channels, in order, and nothing else', async () => {
    const { feed, server } = await startHub();
    const client = await Client.open(server.url);
    await client.subscribe('process:proc-1', 'process:proc-2');
    for (let index = 0; index < 1_000; index++) void feed.publish(output(`line ${index}\n`));
    void feed.publish(output('not for it', 'process:proc-3'));
    void feed.publish(output('ü', 'process:proc-2'));
    const status = { channel: 'process:proc-1', type: 'process_status', processId: 'proc-1' } as const;
    void feed.publish({ ...status, data: { status: 'exited', exitCode: 0 } });
    await client.settle();
    const { messages } = client;
    expect(messages.slice(0, 1_000).map(({ data }) => data)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => `line ${i}\n`),
    );
    expect(messages.slice(1_000)).toMatchObject([
      { type: 'process_output', channel: 'process:proc-2', processId: 'proc-2', data: 'ü' },
      { type: 'process_status', data: { status: 'exited', exitCode: 0 } },
      { type: 'pong' },
    ]);
  });

  test('has each channel once, however often it subscribes, until it unsubscribes', async () => {
    const { feed, server } = await startHub();
    const client = await Client.open(server.url);
    await client.subscribe('process:proc-1', 'process:proc-1');
    void feed.publish(output('a'));
    await client.settle();
    expect(client.messages.map(({ type }) => type)).toEqual(['process_output', 'pong']);
    client.say({ type: 'unsubscribe', data: 'process:proc-1' });
    client.say({ type: 'unsubscribe', data: 'process:never' });
    await client.subscribe();
    void feed.publish(output('b'));
    await client.settle();
    expect(client.messages.map(({ type }) => type)).toEqual(['pong']);
    expect(feed.channels).toEqual([]);
  });

  test('has 256 channels at most, and is told of one too many', async () => {
    const { server } = await startHub();
    const client = await Client.open(server.url);
    await client.subscribe(...Array.from({ length: 256 }, (_, index) => `c${index}`));
    client.say({ type: 'subscribe', data: 'one-more' });
    await client.settle();
    expect(client.messages[0]).toMatchObject({
      type: 'error',
      channel: 'one-more',
      data: expect.stringContaining('256'),
    });
    expect(server.hub.channels).toBe(256);
  });

  test('that goes is forgotten, with its channels', async () => {
    const { feed, server } = await startHub();
    const [stays, goes] = [await Client.open(server.url), await Client.open(server.url)];
    await stays.subscribe('a', 'b');
    await goes.subscribe('b', 'c');
    expect([server.hub.clients, server.hub.channels]).toEqual([2, 3]);
    goes.socket.terminate();
    await expect.poll(() => server.hub.clients).toBe(1);
    expect(server.hub.channels).toBe(2);
    expect(feed.channels).toEqual(['a', 'b']);
  });
});

describe('what a client says', () => {
  test.each<[string, string | Buffer, string]>([
    ['that is no JSON', 'hello', 'one JSON object'],
    ['of an unknown type', '{"type":"shout"}', '"shout" is no type of message here'],
    ['in bytes', Buffer.from('{"type":"ping"}'), 'binary frames are not read'],
  ])('%s is answered with an error, and the connection stays', async (_what, said, reason) => {
    const { server } = await startHub();
    const client = await Client.open(server.url);
    client.say(said);
    await client.settle();
    expect(client.messages).toMatchObject([{ type: 'error', data: expect.stringContaining(reason) }, { type: 'pong' }]);
  });

  test('may have 64 KiB; more ends the connection with code 1009, and nobody else notices', async () => {
    const { server } = await startHub();
    const [client, other] = [await Client.open(server.url), await Client.open(server.url)];
    const padding = (bytes: number) => JSON.stringify({ type: 'ping', data: 'x'.repeat(bytes - 25) });
    expect(padding(65_536).length).toBe(65_536);
    client.say(padding(65_536));
    await client.settle();
    client.say(padding(65_537));
    expect(await client.closed).toMatchObject({ code: 1009 });
    await other.settle();
    expect(server.hub.clients).toBe(1);
  });

  test('is not read on while it does not read the answers', async () => {
    const { server } = await startHub({ slowMs: 600_000 });
    const client = await Client.open(server.url);
    await client.subscribe(...Array.from({ length: 256 }, (_, index) => `c${index}`));
    client.socket.pause();
    // More than the buffers on the way hold, of what it says and of the answers.
    const many = 40_000;
    const refused = JSON.stringify({ type: 'subscribe', data: 'x'.repeat(256) });
    for (let index = 0; index < many; index++) client.say(refused);
    // Until it stands still.
    let before = Number.POSITIVE_INFINITY;
    const stands = () => {
      const now = client.socket.bufferedAmount;
      const isSame = now === before;
      before = now;
      return isSame;
    };
    await expect.poll(stands, { timeout: 20_000, interval: 200 }).toBe(true);
    expect(before).toBeGreaterThan(0);
    client.socket.resume();
    await expect.poll(() => client.messages.length).toBe(many);
  });
});

describe('signs of life', () => {
  test('are asked for, and a client that gives none is gone', async () => {
    const { server } = await startHub();
    const [alive, dead, other] = [
      await Client.open(server.url),
      await Client.open(server.url, { autoPong: false }),
      await Client.open(server.url),
    ];
    for (let checks = 0; checks < 4; checks++) {
      const asked = once(alive.socket, 'ping');
      server.hub.check();
      await asked;
      // By now its answer has come.
      await other.settle();
      await other.settle();
    }
    expect(await dead.closed).toMatchObject({ code: 1006 });
    expect(server.hub.clients).toBe(2);
  });

  test('are all that a client says', async () => {
    const { server } = await startHub();
    const client = await Client.open(server.url, { autoPong: false });
    for (let checks = 0; checks < 4; checks++) {
      server.hub.check();
      await client.settle();
    }
    expect(server.hub.clients).toBe(1);
  });

  test('are asked for at regular times', async () => {
    const { server } = await startHub({ checkMs: 20 });
    const client = await Client.open(server.url, { autoPong: false });
    expect(await client.closed).toMatchObject({ code: 1006 });
  });
});

describe('the end of the hub', () => {
  test('is told to all clients with code 1001, and the port is free at once', async () => {
    const { server } = await startHub();
    const clients = [await Client.open(server.url), await Client.open(server.url)];
    await clients[0]!.subscribe('a');
    const closing = server.close();
    const { server: next } = await startHub({}, '127.0.0.1');
    for (const { closed } of clients) expect(await closed).toMatchObject({ code: 1001 });
    await closing;
    expect(next.address.port).not.toBe(0);
  });

  test('does not wait for those who do not say goodbye', async () => {
    const { server } = await startHub();
    const client = await Client.open(server.url);
    client.socket.pause();
    await server.close();
    expect(server.hub.clients).toBe(0);
  });
});
