import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession } from '../../../../fixtures/clients/hostile-http.ts';
import { dial, requestText, sendRaw } from '../../../../fixtures/clients/raw-http.ts';
import { tokenOf } from '../../../../test/support/auth/tokens.ts';
import { RawClient } from '../../../../test/support/clients/raw-client.ts';
import { exchange, HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertAtMost, assertThat, listed } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { forgetPeak, peakMib, residentMib } from '../../process-figures.ts';
import { type Gateway, type HttpGateway, type Scene, until } from '../../scene.ts';

const MIB = 1024 * 1024;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const call = (id: number, name: string, args: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

async function connect(gateway: HttpGateway, headers: Readonly<Record<string, string>> = {}): Promise<HttpSession> {
  const session = await HttpSession.open(gateway.url, {}, '2025-11-25', headers);
  await until('the tools are listed', async () => (await session.toolNames()).includes('big_big'));
  return session;
}

/** Asks for an answer of `mib` MiB on a connection of its own, and reads nothing of it. */
async function leaveUnread(scene: Scene, session: HttpSession, id: number, mib: number): Promise<Socket> {
  const { url } = session;
  const headers = { 'Mcp-Session-Id': session.id, ...session.extraHeaders };
  const socket = await dial(url);
  scene.onClose(() => socket.destroy());
  socket.pause();
  socket.write(requestText(url, { headers, body: call(id, 'big_big', { mib }) }));
  return socket;
}

const wasCutOff = (gateway: Gateway): boolean => gateway.stderr().includes('"event":"slow-client"');

/** A client that reads at most so many bytes a second. */
function slowClient(gateway: Gateway, bytesPerSecond: number): RawClient {
  const throttle = new Transform({
    highWaterMark: 64 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      setTimeout(() => done(null, chunk), (chunk.length / bytesPerSecond) * 1_000);
    },
  });
  return new RawClient(gateway.child.stdout!.pipe(throttle), gateway.child.stdin!);
}

/** Asks for all these answers at one time; each must arrive whole, and the gateway must go on. */
async function assertWhole(client: RawClient, gateway: Gateway, count: number, mib: number): Promise<void> {
  const results = await Promise.all(Array.from({ length: count }, () => client.call('big_big', { mib })));
  for (const { content } of results) assert.equal(content[0].text.length, mib * MIB);
  assert.equal(await client.callText('big_echo', { text: 'x' }), 'x');
  assert.equal(gateway.child.exitCode, null);
  assertThat('no client was cut off', !wasCutOff(gateway));
}

const inFlight = (count: number, mib: number): Fault => ({
  id: `B-in-flight-${count}`,
  what: `${count} answers of ${mib} MiB are on their way to one client on standard input and output, which reads`,
  holds: 'every answer arrives whole, the connection stays',
  async run(scene) {
    const gateway = await scene.stdio({ big: scene.hostile('ok') });
    await listed(gateway.client, ['big_big']);
    await assertWhole(gateway.client, gateway, count, mib);
  },
});

const STDIO_ROWS: readonly Fault[] = [
  inFlight(4, 20),
  inFlight(8, 10),
  {
    id: 'B-in-flight-slow',
    what: 'The same with 5 answers of 20 MiB, to a client that reads 10 MiB a second',
    holds: 'every answer arrives whole; memory grows by at most 192 MiB, because the upstream waits',
    exclusive: true,
    async run(scene) {
      const gateway = scene.startStdio({ big: scene.hostile('ok') });
      const client = slowClient(gateway, 10 * MIB);
      await client.initialize();
      await listed(client, ['big_big']);
      const pid = gateway.child.pid!;
      const idle = residentMib(pid);
      forgetPeak(pid);
      await assertWhole(client, gateway, 5, 20);
      assertAtMost('MiB more at the peak', peakMib(pid) - idle, 192);
    },
  },
];

const HTTP_ROWS: readonly Fault[] = [
  {
    id: 'H-unread-other-tenant',
    what: 'A client leaves 10 answers of 12 MiB unread; one with another token asks for 20 of 20 MiB and reads them',
    holds: '20 of 20 are whole; the connections that stand still are ended',
    exclusive: true,
    limitMs: 90_000,
    async run(scene) {
      const tokens = [tokenOf('hog'), tokenOf('reader')];
      const gateway = await scene.serve(
        scene.config({
          upstreams: { big: scene.hostile('ok') },
          server: { tokens: tokens.map(({ entry }) => entry) },
        }),
      );
      const [hog, reader] = [await connect(gateway, tokens[0]!.headers), await connect(gateway, tokens[1]!.headers)];
      for (let index = 0; index < 10; index++) await leaveUnread(scene, hog, index, 12);
      let whole = 0;
      for (let index = 0; index < 20; index++) {
        const text = await reader.callText('big_big', { mib: 20 }).catch(() => '');
        if (text.length === 20 * MIB) whole++;
      }
      assert.equal(whole, 20);
      await until('the others are ended', () => wasCutOff(gateway), 40_000);
    },
  },
  {
    id: 'H-stalled',
    what: 'A client reads the beginning of an answer of 20 MiB, and then nothing more',
    holds: 'the connection is ended after 30 s; one that reads 256 KiB a second meanwhile keeps its own',
    limitMs: 90_000,
    async run(scene) {
      const gateway = await scene.serve({ big: scene.hostile('ok') });
      const session = await connect(gateway);
      const [stalled, slow] = [await leaveUnread(scene, session, 1, 20), await leaveUnread(scene, session, 2, 20)];
      const started = performance.now();
      stalled.once('data', () => stalled.pause());
      stalled.resume();
      await once(stalled, 'pause');
      const reading = setInterval(() => slow.read(), 250);
      scene.onClose(() => clearInterval(reading));
      await until('the connection is ended', () => wasCutOff(gateway), 45_000);
      assertThat('not before 30 s', performance.now() - started >= 29_000);
      const lines = gateway.stderr().split('\n');
      assert.equal(lines.filter((line) => line.includes('"event":"slow-client"')).length, 1);
      // The system's buffers still hold something of what was sent.
      stalled.resume();
      await once(stalled, 'close');
      assertThat('the other is still open', !slow.destroyed && !slow.readableEnded);
    },
  },
  {
    id: 'H-slow-readers-large',
    what: '40 answers of 20 MiB are asked for at the same time, on connections that are not read',
    holds: 'memory grows by at most 192 MiB; connections that stand still are ended; others are served',
    exclusive: true,
    limitMs: 180_000,
    async run(scene) {
      const gateway = await scene.serve({ big: scene.hostile('ok') });
      const session = await connect(gateway);
      const pid = gateway.child.pid!;
      const idle = residentMib(pid);
      forgetPeak(pid);
      for (let index = 0; index < 40; index++) await leaveUnread(scene, session, index, 20);
      await until('a client is cut off', () => wasCutOff(gateway), 40_000);
      await until('the calls are over', async () => (await openCalls(scene)) === 0, 120_000);
      assertAtMost('MiB more at the peak', peakMib(pid) - idle, 192);
      assert.equal(await session.callText('big_echo', { text: 'x' }), 'x');
    },
  },
  {
    id: 'H-sess-cap',
    what: 'A client opens 1,000 sessions and leaves them; one of an older client has an open stream',
    holds:
      '1,000 ids of their own; a new client takes the place of the session that was idle longest, whose client gets ' +
      '404; the session with the stream stays',
    async run(scene) {
      const { url } = await scene.serve({});
      const listening = await HttpSession.open(url);
      const stream = await listening.listen();
      assert.equal(stream.statusCode, 200);
      const abandoned: string[] = [];
      for (let batch = 0; batch < 20; batch++) {
        abandoned.push(...(await Promise.all(Array.from({ length: 50 }, () => openSession(url)))));
      }
      assert.equal(new Set(abandoned).size, 1_000);
      assertThat(
        'ids cannot be guessed',
        abandoned.every((id) => id.length >= 32),
      );
      const fresh = await HttpSession.open(url);
      assert.equal((await fresh.post(PING)).status, 200);
      assert.equal((await listening.post(PING)).status, 200);
      const post = (id: string) => sendRaw(url, requestText(url, { headers: { 'Mcp-Session-Id': id }, body: PING }));
      assert.equal((await post(abandoned.at(-1)!)).status, 200);
      assert.equal((await post(abandoned[0]!)).status, 404);
      await exchange(url, { method: 'DELETE', headers: { 'mcp-session-id': abandoned.at(-2)! } });
      stream.destroy();
    },
  },
  {
    id: 'H-streams-of-one',
    what: 'A client opens event streams without end',
    holds: '250, then 429 with Retry-After; calls are served meanwhile, and one stream that closes makes room',
    async run(scene) {
      const gateway = await scene.serve({ big: scene.hostile('ok') });
      const session = await connect(gateway);
      const owners = await Promise.all(Array.from({ length: 250 }, () => HttpSession.open(gateway.url)));
      const streams = await Promise.all(owners.map((owner) => owner.listen()));
      assert.deepEqual(new Set(streams.map(({ statusCode }) => statusCode)), new Set([200]));
      const refused = await session.listen();
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal(await session.callText('big_echo', { text: 'x' }), 'x');
      streams[0]!.destroy();
      await delay(Number(refused.headers['retry-after']) * 1_000);
      assert.equal((await session.listen()).statusCode, 200);
      for (const stream of streams) stream.destroy();
    },
  },
];

async function openCalls(scene: Scene): Promise<number> {
  const { output } = await scene.viaduct(['status', '--json', '--config', `${scene.folder}/viaduct.yaml`]);
  const { sessions } = JSON.parse(output.slice(output.indexOf('{'))) as { sessions: { openCalls: number }[] };
  return sessions.reduce((sum, session) => sum + session.openCalls, 0);
}

export const UNREAD_FAULTS: readonly Fault[] = [...STDIO_ROWS, ...HTTP_ROWS];
