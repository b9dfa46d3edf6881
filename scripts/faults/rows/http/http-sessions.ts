import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dial, requestText, sendRaw } from '../../../../fixtures/clients/raw-http.ts';
import { eventsOf, exchange, HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { type Entry, type HttpGateway, type Scene, until } from '../../scene.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

async function connect(gateway: HttpGateway, tool = 't_echo'): Promise<HttpSession> {
  const session = await HttpSession.open(gateway.url);
  await until('the tools are listed', async () => (await session.toolNames()).includes(tool));
  return session;
}

function talkative(scene: Scene, more: Entry = {}): Entry {
  return scene.fixture('talkative', [`--log=${scene.logFile('talkative')}`], more);
}

function call(id: number, name: string, args: unknown, token?: number): string {
  const params = { name, arguments: args, ...(token !== undefined && { _meta: { progressToken: token } }) };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

const remove = (session: HttpSession) =>
  exchange(session.url, { method: 'DELETE', headers: { 'mcp-session-id': session.id } });

export const HTTP_SESSION_FAULTS: readonly Fault[] = [
  {
    id: 'H-sess-delete',
    what: 'a session is deleted, and used afterwards',
    holds: '404, so that the client begins anew; the sessions of others go on',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({});
      const [mine, other] = [await HttpSession.open(gateway.url), await HttpSession.open(gateway.url)];
      assert.equal((await remove(mine)).status, 200);
      assert.equal((await mine.post(PING)).status, 404);
      assert.equal((await mine.listen()).statusCode, 404);
      assert.equal((await remove(mine)).status, 404);
      assert.equal((await other.post(PING)).status, 200);
    },
  },
  {
    id: 'H-sess-delete-mid-call',
    what: 'a session is deleted while its call runs',
    holds: 'the upstream is told, the connection ends, others go on',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const session = await connect(gateway);
      const answer = session.post(call(7, 't_wait', { ms: 60_000 }));
      const seen = (word: string) => scene.linesOf(scene.logFile('talkative')).some((line) => line.startsWith(word));
      await until('the call runs', () => seen('call wait'));
      await remove(session);
      await until('the upstream is told', () => seen('cancelled'));
      assertThat('no answer follows', !(await answer).body.includes('"result"'));
      await connect(gateway);
    },
  },
  {
    id: 'H-mix',
    what: 'two clients make 1,000 calls each with equal ids and progress tokens',
    holds: 'no byte for one reaches the other',
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const clients = await Promise.all(
        ['anna', 'bert'].map(async (name) => ({ name, session: await connect(gateway) })),
      );
      await Promise.all(
        clients.map(async ({ name, session }) => {
          const other = name === 'anna' ? 'bert' : 'anna';
          for (let round = 0; round < 20; round++) {
            const ids = Array.from({ length: 50 }, (_, index) => round * 50 + index);
            const answers = await Promise.all(
              ids.map((id) => session.post(call(id, 't_nonce', { nonce: `${name}-${id}` }, id))),
            );
            for (const [index, { body }] of answers.entries()) {
              assertThat(`the own nonce in ${body}`, body.includes(`${name}-${ids[index]}`));
              assertThat(`nothing of ${other} in what ${name} got`, !body.includes(other));
            }
          }
        }),
      );
    },
  },
  {
    id: 'H-spawn',
    what: '25 clients connect at once',
    holds: 'all are served by the one process of the upstream',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const sessions = await Promise.all(Array.from({ length: 25 }, () => connect(gateway)));
      const texts = await Promise.all(
        sessions.map((session, index) => session.callText('t_echo', { text: String(index) })),
      );
      assert.deepEqual(
        texts,
        Array.from({ length: 25 }, (_, index) => `talkative: ${index}`),
      );
      assert.equal(scene.pidsIn(scene.logFile('talkative')).length, 1);
    },
  },
  {
    id: 'H-spawn-per-session',
    what: 'clients of an upstream that keeps state, with `share: session` and without',
    holds: 'with it each has its own counter, without it they share one',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({ own: talkative(scene, { share: 'session' }), all: talkative(scene) });
      const clients = [await connect(gateway, 'all_count'), await connect(gateway, 'all_count')];
      const counts = async (tool: string) => [await clients[0]!.callText(tool), await clients[1]!.callText(tool)];
      assert.deepEqual(await counts('own_count'), ['1', '1']);
      assert.deepEqual(await counts('all_count'), ['1', '2']);
    },
  },
  {
    id: 'H-bind',
    what: 'the config or the command line asks for an address that others can reach',
    holds: 'it does not start without tokens or OAuth, exits with 78, and says why',
    quick: true,
    async run(scene) {
      for (const host of ['0.0.0.0', '::', '192.168.1.1', 'example.com']) {
        const config = scene.config({ upstreams: {}, server: { host } });
        const byConfig = await scene.viaduct(['serve', '--port', '0', '--config', config]);
        assert.equal(byConfig.code, 78, host);
        assert.match(byConfig.output, /beyond loopback clients must prove who they are/);
      }
      const config = scene.config({ upstreams: {} });
      const byFlag = await scene.viaduct(['serve', '--port', '0', '--host', '0.0.0.0', '--config', config]);
      assert.equal(byFlag.code, 78);
      assert.match(byFlag.output, /beyond loopback clients must prove who they are/);
    },
  },
  {
    id: 'H-limit-client',
    what: 'one session has as many calls open as it may, and makes more',
    holds: '429 with Retry-After; others are served, and it is again when a call ends',
    quick: true,
    async run(scene) {
      const config = scene.config({ upstreams: { t: talkative(scene) }, limits: { callsPerClient: 3 } });
      const gateway = await scene.serve(config);
      const [greedy, other] = [await connect(gateway), await connect(gateway)];
      const open = [1, 2, 3].map((id) => greedy.post(call(id, 't_wait', { ms: 700 })));
      await untilWaiting(scene, 3);
      const refused = await greedy.post(call(4, 't_echo', { text: 'x' }));
      assert.equal(refused.status, 429);
      assert.equal(refused.headers['retry-after'], '1');
      assert.equal(JSON.parse(refused.body).error.code, -32603);
      assert.equal((await greedy.post(PING)).status, 200);
      assert.equal(await other.callText('t_echo', { text: 'other' }), 'talkative: other');
      await Promise.all(open);
      assert.equal(await greedy.callText('t_echo', { text: 'again' }), 'talkative: again');
    },
  },
  {
    id: 'H-limit-gateway',
    what: 'all clients together have as many calls open as there may be',
    holds: '503 with Retry-After over HTTP, `overloaded` on standard input; served again when a call ends',
    quick: true,
    async run(scene) {
      const config = scene.config({ upstreams: { t: talkative(scene) }, limits: { calls: 4 } });
      const gateway = await scene.serve(config);
      const attached = await scene.stdio(config);
      const sessions = [await connect(gateway), await connect(gateway)];
      const open = [1, 2, 3, 4].map((id) => sessions[id % 2]!.post(call(id, 't_wait', { ms: 900 })));
      await untilWaiting(scene, 4);
      const refused = await sessions[0]!.post(call(9, 't_echo', { text: 'x' }));
      assert.equal(refused.status, 503);
      assert.equal(refused.headers['retry-after'], '1');
      const overloaded = await attached.client.call('t_echo', { text: 'x' });
      assert.equal(overloaded._meta['viaduct/gateway'].reason, 'overloaded');
      await Promise.all(open);
      assert.equal(await sessions[1]!.callText('t_echo', { text: 'again' }), 'talkative: again');
    },
  },
  {
    id: 'H-leave-mid-call',
    what: 'a connection breaks while its call runs',
    holds: 'the call is not cancelled (2025-11-25), and its answer has no effect',
    quick: true,
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const session = await connect(gateway);
      for (let index = 0; index < 20; index++) {
        const socket = await dial(gateway.url);
        const headers = { 'Mcp-Session-Id': session.id };
        socket.write(requestText(gateway.url, { headers, body: call(index, 't_wait', { ms: 300 }) }));
        void until('the call runs', () => waiting(scene) > index).then(() => socket.destroy());
      }
      await untilWaiting(scene, 20);
      await until('no call is open', async () =>
        (await session.post(call(5, 't_echo', { text: 'x' }))).body.includes('"result"'),
      );
      assertThat(
        'no call was cancelled',
        !scene.linesOf(scene.logFile('talkative')).some((line) => line.includes('cancelled')),
      );
    },
  },
  {
    id: 'H-slow-reader',
    what: 'a client asks for 60,000 progress notes of 1 KiB and reads none of them',
    holds: 'memory grows by less than 64 MiB, others are served meanwhile, the answer comes when it reads',
    exclusive: true,
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const [slow, other] = [await connect(gateway), await connect(gateway)];
      const before = peakMib(gateway);
      const nonce = 'n'.repeat(1_024);
      const stream = await slow.postOpen(call(1, 't_progress', { steps: 60_000, nonce }, 1));
      stream.pause();
      await until('others are served', async () => (await other.callText('t_echo', { text: 'x' })) === 'talkative: x');
      await until('the call is over', async () => (await openCalls(scene)) === 0, 30_000);
      const grown = peakMib(gateway) - before;
      assertThat(`MiB more at the peak: ${grown}, less than 64`, grown < 64);
      let last: unknown;
      for await (const { data } of eventsOf(stream)) last = data?.result?.content[0].text ?? last;
      assert.equal(last, `progressed ${nonce}`);
    },
  },
  {
    id: 'H-size-together',
    what: '20 clients send bodies of 30 MiB at the same time and do not finish them',
    holds: 'memory grows by less than 160 MiB, some are told to come back (503), others are served',
    exclusive: true,
    async run(scene) {
      const gateway = await scene.serve({ t: talkative(scene) });
      const session = await connect(gateway);
      const before = peakMib(gateway);
      const size = 30 * 1024 * 1024;
      const headers = { 'Mcp-Session-Id': session.id, 'Content-Length': String(size + 1) };
      const pieces = [
        requestText(gateway.url, { headers }),
        ...Array.from({ length: 30 }, () => 'x'.repeat(size / 30)),
      ];
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => sendRaw(gateway.url, pieces, { timeoutMs: 3_000 })),
      );
      assertThat(
        answers.map(({ status }) => status).join(),
        answers.some(({ status }) => status === 503),
      );
      const grown = peakMib(gateway) - before;
      assertThat(`MiB more at the peak: ${grown}, less than 160`, grown < 160);
      assert.equal(await session.callText('t_echo', { text: 'x' }), 'talkative: x');
    },
  },
  {
    id: 'H-log',
    what: '500 requests in a second that are refused, with secrets in their headers',
    holds:
      'a bounded number of log lines with status and reason, what was left out is counted, no header value is shown',
    async run(scene) {
      const gateway = await scene.serve({});
      const headers = {
        Origin: 'https://evil.example',
        Authorization: 'Bearer hunter2-secret',
        'Mcp-Session-Id': 'hunter3',
      };
      const text = requestText(gateway.url, { headers, body: PING });
      const refuse = () => sendRaw(gateway.url, text);
      for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 50 }, refuse));
      const lines = () =>
        gateway
          .stderr()
          .split('\n')
          .filter((line) => line.includes('"event":"refused"'));
      await until('the rest is counted', () => lines().some((line) => line.includes('leftOut')));
      const shown = lines().filter((line) => line.includes('"status":403'));
      assertThat(`lines: ${shown.length}, from 20 to 120`, shown.length >= 20 && shown.length <= 120);
      assertThat('no header value is in the log', !/evil|hunter/.test(gateway.stderr()));
    },
  },
];

function waiting(scene: Scene): number {
  return scene.linesOf(scene.logFile('talkative')).filter((line) => line.startsWith('call wait')).length;
}

async function untilWaiting(scene: Scene, calls: number): Promise<void> {
  await until(`${calls} calls run`, () => waiting(scene) >= calls);
}

async function openCalls(scene: Scene): Promise<number> {
  const { output } = await scene.viaduct(['status', '--json', '--config', `${scene.folder}/viaduct.yaml`]);
  const { sessions } = JSON.parse(output.slice(output.indexOf('{'))) as { sessions: { openCalls: number }[] };
  return sessions.reduce((sum, session) => sum + session.openCalls, 0);
}

/** Largest resident size of the gateway so far; 0 where the system does not say. */
function peakMib(gateway: HttpGateway): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+([0-9]+)/.exec(status)![1]) / 1024;
}
