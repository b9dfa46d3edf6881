import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { dial } from '../../../fixtures/clients/raw-http.ts';
import { connectToDaemon } from '../../../src/gateway/serving/daemon-record.ts';
import { RawClient } from '../../../test/support/clients/raw-client.ts';
import { eventsOf, HttpSession } from '../../../test/support/http/http-client.ts';
import { isAlive } from '../../../test/support/processes.ts';
import { assertThat, inTime } from '../expect.ts';
import type { Fault } from '../fault.ts';
import { type HttpGateway, type Scene, until } from '../scene.ts';

interface Stage {
  readonly gateway: HttpGateway;
  readonly log: string;
  readonly exited: Promise<[code: number | null, signal: string | null]>;
  open(): Promise<HttpSession>;
}

async function start(scene: Scene): Promise<Stage> {
  const log = scene.logFile('talkative');
  const gateway = await scene.serve({ t: scene.fixture('talkative', [`--log=${log}`]) });
  return {
    gateway,
    log,
    exited: once(gateway.child, 'exit') as Promise<[number | null, string | null]>,
    async open() {
      const session = await HttpSession.open(gateway.url);
      await until('the tools are listed', async () => (await session.toolNames()).includes('t_wait'));
      return session;
    },
  };
}

function wait(session: HttpSession, ms: number): string {
  return session.request('tools/call', { name: 't_wait', arguments: { ms } });
}

async function untilCalled(scene: Scene, stage: Stage, calls: number): Promise<void> {
  await until(
    `${calls} calls run`,
    () => scene.linesOf(stage.log).filter((line) => line.startsWith('call ')).length >= calls,
  );
}

function resultText(body: string): string {
  return JSON.parse(body).result.content[0].text as string;
}

/** Requests on one connection that is kept. */
function keptConnection(url: string): (headers: Record<string, string>, body: string) => Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (headers, body) =>
    new Promise((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } });
      outgoing.on('response', (response) => {
        response.resume();
        response.once('end', () => resolve(response));
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

export const DRAIN_FAULTS: readonly Fault[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(
    (signal): Fault => ({
      id: `H-drain-${signal.toLowerCase()}`,
      what: `${signal} while 50 calls of 2 s run`,
      holds: '50 answers, no connection is reset, exit code 0',
      async run(scene) {
        const stage = await start(scene);
        const session = await stage.open();
        const answers = Array.from({ length: 50 }, () => session.post(wait(session, 2_000)));
        await untilCalled(scene, stage, 50);
        stage.gateway.child.kill(signal);
        for (const { status, body } of await Promise.all(answers)) {
          assert.equal(status, 200);
          assert.equal(resultText(body), 'waited');
        }
        assert.deepEqual(await stage.exited, [0, null]);
        assert.match(stage.gateway.stderr(), /"event":"drain","calls":50/);
        assert.match(stage.gateway.stderr(), /"event":"drained","calls":0/);
      },
    }),
  ),
  {
    id: 'H-drain-new-requests',
    what: 'new requests and connections while the last call runs after SIGTERM',
    holds:
      '503 with Connection: close on a kept connection; a new connection is refused; what belongs to the call passes',
    async run(scene) {
      const stage = await start(scene);
      const session = await stage.open();
      const send = keptConnection(stage.gateway.url);
      assert.equal((await send(session.headers, PING)).statusCode, 200);
      const notify = keptConnection(stage.gateway.url);
      assert.equal((await notify(session.headers, PING)).statusCode, 200);
      const answer = session.post(wait(session, 1_500));
      await untilCalled(scene, stage, 1);
      stage.gateway.child.kill('SIGTERM');
      await until('draining', () => stage.gateway.stderr().includes('"event":"drain"'));
      const passed = await notify(session.headers, '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
      assert.equal(passed.statusCode, 202);
      const refused = await send(session.headers, PING);
      assert.equal(refused.statusCode, 503);
      assert.equal(refused.headers.connection, 'close');
      await assert.rejects(dial(stage.gateway.url), /ECONNREFUSED/);
      assert.equal(resultText((await answer).body), 'waited');
      assert.deepEqual(await stage.exited, [0, null]);
    },
  },
  {
    id: 'H-drain-streams',
    what: 'SIGTERM while clients listen to event streams',
    holds: 'each stream ends as HTTP has it, none is reset',
    quick: true,
    async run(scene) {
      const stage = await start(scene);
      const sessions = await Promise.all(Array.from({ length: 10 }, () => stage.open()));
      const streams = await Promise.all(sessions.map((session) => session.listen()));
      stage.gateway.child.kill('SIGTERM');
      for (const stream of streams) {
        for await (const { data } of eventsOf(stream)) assert.equal(data.id, undefined);
        assertThat('the stream ends as HTTP has it', stream.complete);
      }
      assert.deepEqual(await stage.exited, [0, null]);
    },
  },
  {
    id: 'H-drain-local',
    what: 'SIGTERM while clients of the local socket wait for answers',
    holds: 'they get them; a new call is told that the gateway stops; then their connection ends',
    async run(scene) {
      const stage = await start(scene);
      await stage.open();
      const attached = await scene.stdio(
        scene.config({ upstreams: { t: scene.fixture('talkative', [`--log=${stage.log}`]) } }),
      );
      const answer = attached.client.callText('t_wait', { ms: 1_500 });
      await untilCalled(scene, stage, 1);
      stage.gateway.child.kill('SIGTERM');
      await until('draining', () => stage.gateway.stderr().includes('"event":"drain"'));
      const late = await attached.client.call('t_echo', { text: 'late' });
      assert.equal(late.isError, true);
      assert.equal(late._meta['viaduct/gateway'].reason, 'cancelled');
      assert.equal(await answer, 'waited');
      assert.deepEqual(await stage.exited, [0, null]);
    },
  },
  {
    id: 'H-drain-rest',
    what: 'SIGTERM while a call runs that does not end',
    holds: 'after 10 s it is answered with a failure; exit code 0; no process is left',
    async run(scene) {
      const stage = await start(scene);
      const session = await stage.open();
      const answer = session.post(wait(session, 60_000));
      await untilCalled(scene, stage, 1);
      stage.gateway.child.kill('SIGTERM');
      const { result } = JSON.parse((await answer).body);
      assert.equal(result.isError, true);
      assert.equal(result._meta['viaduct/gateway'].effect, 'unknown');
      assert.deepEqual(await stage.exited, [0, null]);
      for (const pid of scene.pidsIn(stage.log)) assertThat('no process is left', !isAlive(pid));
    },
  },
  {
    id: 'H-drain-second-signal',
    what: 'a second SIGTERM while calls run',
    holds: 'it exits at once with code 1, and no process is left',
    async run(scene) {
      const stage = await start(scene);
      const session = await stage.open();
      const answer = session.post(wait(session, 60_000)).catch(() => undefined);
      await untilCalled(scene, stage, 1);
      stage.gateway.child.kill('SIGTERM');
      await until('draining', () => stage.gateway.stderr().includes('"event":"drain"'));
      stage.gateway.child.kill('SIGTERM');
      assert.deepEqual(await inTime('the exit', 1_000, stage.exited), [1, null]);
      await answer;
      const pids = scene.pidsIn(stage.log);
      await until('no process is left', () => pids.every((pid) => !isAlive(pid)), 5_000);
    },
  },
  {
    id: 'H-drain-deaf-client',
    what: 'SIGTERM while a client of the local socket neither reads nor hangs up',
    holds: 'exit code 0 within two seconds',
    quick: true,
    async run(scene) {
      const stage = await start(scene);
      await stage.open();
      const { socket } = (await connectToDaemon({ record: recordOf(scene) }))!;
      socket.allowHalfOpen = true; // it does not hang up when the gateway does
      const client = new RawClient(socket, socket);
      await client.initialize();
      stage.gateway.child.kill('SIGTERM');
      assert.deepEqual(await inTime('the exit', 2_000, stage.exited), [0, null]);
    },
  },
];

/** Path of the record of the scene's gateway. */
function recordOf(scene: Scene): string {
  const folder = `${scene.home}/run`;
  return `${folder}/${readdirSync(folder).find((name) => name.endsWith('.json'))!}`;
}
