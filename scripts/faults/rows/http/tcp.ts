import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { RawClient } from '../../../../test/support/clients/raw-client.ts';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { isAlive } from '../../../../test/support/processes.ts';
import { assertAtMost, assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { openSockets } from '../../long/processes.ts';
import { forgetPeak, peakMib, residentMib } from '../../process-figures.ts';
import { type HttpGateway, type Scene, until } from '../../scene.ts';

const line = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const HELLO = line(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'hostile', version: '1' },
});

interface TcpScene {
  readonly gateway: HttpGateway;
  /** Lines that the upstream noted. */
  readonly log: () => string[];
  readonly dial: () => Promise<Socket>;
}

/** A gateway with the hostile server in its good mode, and a way in over TCP. */
async function serveTcp(scene: Scene): Promise<TcpScene> {
  const config = scene.config({ server: { tcp: '127.0.0.1:0' }, upstreams: { t: scene.hostile('ok') } });
  const gateway = await scene.serve(config);
  const port = Number(new URL(recordedTcp(scene)).port);
  await works(gateway);
  return {
    gateway,
    log: () => scene.linesOf(scene.logFile('ok')),
    async dial() {
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      scene.onClose(() => socket.destroy());
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    },
  };
}

function recordedTcp({ home }: Scene): string {
  const folder = path.join(home, 'run');
  const record = readdirSync(folder).find((name) => name.endsWith('.json'))!;
  return (JSON.parse(readFileSync(path.join(folder, record), 'utf8')) as { tcp: string }).tcp;
}

/** A client over HTTP gets its answer. */
async function works({ url, child }: HttpGateway): Promise<void> {
  const session = await HttpSession.open(url);
  await until('the tools are listed', async () => (await session.toolNames()).includes('t_echo'));
  assert.equal(await session.callText('t_echo', { text: 'still' }), 'still');
  assertThat('the gateway lives', isAlive(child.pid!));
}

const callsIn = (lines: readonly string[]): number => lines.filter((each) => each.startsWith('call ')).length;

/** Resolves with everything that comes until the gateway hangs up. */
async function toEnd(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => pieces.push(chunk));
  await new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  socket.destroy();
  return Buffer.concat(pieces).toString();
}

/** First bytes of requests of web pages, on which the gateway hangs up. */
const PAGES = ['POST /', 'GET /', 'OPTIONS *', 'PRI *'];

/** Faults of clients and web pages at the way in for JSON-RPC in lines. */
export const TCP_FAULTS: readonly Fault[] = [
  {
    id: 'TCP-web-page',
    what: 'A web page sends requests to the TCP port whose bodies are calls of tools, a line each',
    holds: 'each connection is closed without a byte; no call reaches the upstream',
    quick: true,
    async run(scene) {
      const { gateway, log, dial } = await serveTcp(scene);
      const before = callsIn(log());
      const body = HELLO + line(2, 'tools/call', { name: 't_echo', arguments: { text: 'evil' } });
      for (const page of PAGES) {
        const socket = await dial();
        socket.write(`${page} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n${body}`);
        assert.equal(await toEnd(socket), '', page);
      }
      assert.equal(callsIn(log()), before, 'calls of the upstream');
      await works(gateway);
    },
  },
  {
    id: 'TCP-half-open',
    what: '300 TCP clients say nothing, or half a message, and stay',
    holds: 'all are closed within 15 s, others are served meanwhile, no socket is left',
    async run(scene) {
      const { gateway, dial } = await serveTcp(scene);
      const before = openSockets(gateway.child.pid!);
      const started = performance.now();
      const sockets = await Promise.all(Array.from({ length: 300 }, dial));
      const closed = sockets.map(async (socket, index) => {
        if (index % 2 === 0) socket.write(HELLO.slice(0, 40));
        return toEnd(socket);
      });
      await works(gateway);
      assert.deepEqual(new Set(await Promise.all(closed)), new Set(['']));
      assertAtMost('time until all were closed, in ms', performance.now() - started, 15_000);
      await until('as many sockets as before', () => openSockets(gateway.child.pid!) <= before + 1, 15_000);
      await works(gateway);
    },
  },
  {
    id: 'TCP-never-reads',
    what: 'A TCP client asks for twenty answers of 12 MiB, and reads nothing',
    holds: 'it is cut off; others are served meanwhile, and memory grows by at most 192 MiB',
    exclusive: true,
    limitMs: 120_000,
    async run(scene) {
      const { gateway, dial } = await serveTcp(scene);
      const pid = gateway.child.pid!;
      const hog = await dial();
      const client = new RawClient(hog, hog);
      client.write(HELLO.trimEnd());
      await client.toolNames();
      hog.pause();
      const before = residentMib(pid);
      forgetPeak(pid);
      for (let id = 10; id < 30; id++) hog.write(line(id, 'tools/call', { name: 't_big', arguments: { mib: 12 } }));
      await works(gateway);
      await until('it is cut off', () => gateway.stderr().includes('"event":"slow-client"'), 90_000);
      assertAtMost('growth of memory in MiB', peakMib(pid) - before, 192);
      await works(gateway);
    },
  },
];
