import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RawClient } from '../../../../test/support/clients/raw-client.ts';
import { gatewaysOf, hasEnded, isAlive } from '../../../../test/support/processes.ts';
import { assertGone, assertThat, assertTook, factsOf, inTime, listed, marked } from '../../expect.ts';
import { type Fault, quick } from '../../fault.ts';
import { type Scene, type StdioGateway, until } from '../../scene.ts';

const SHARED = { VIADUCT_GATEWAY: 'shared' };
const CLIENTS = 5;

/** A config with one upstream, whose clients share a gateway. */
interface Shared {
  readonly config: string;
  readonly connect: () => Promise<StdioGateway>;
  /** Numbers of the shared gateways that run. */
  readonly gateways: () => readonly number[];
  /** Numbers of all processes that the upstream has had. */
  readonly servers: () => readonly number[];
  /** Ends clients and gateways as their user would. Nothing must be left. */
  readonly end: (clients: readonly StdioGateway[]) => Promise<void>;
}

function shared(scene: Scene): Shared {
  const log = scene.logFile('talkative');
  const config = scene.config({ upstreams: { bad: scene.fixture('talkative', [`--log=${log}`]) } });
  const stop = () => scene.viaduct(['stop', '--all'], SHARED);
  scene.onClose(stop);
  const gateways = () => gatewaysOf(config);
  return {
    config,
    connect: () => scene.stdio(config, { env: SHARED }),
    gateways,
    servers: () => scene.pidsIn(log),
    end: async (clients) => {
      for (const { client } of clients) client.end();
      await Promise.all(clients.map(({ child }) => hasEnded(child)));
      const { code, output } = await stop();
      assert.equal(code, 0, output);
      await assertGone([...gateways(), ...scene.pidsIn(log)], 3_000);
    },
  };
}

async function assertTalks(client: RawClient, text: string): Promise<void> {
  assert.equal(await client.callText('bad_echo', { text: marked(text) }), `talkative: ${marked(text)}`);
}

const KILLED: Fault = {
  id: 'G-killed',
  what: 'The shared gateway is killed while five clients have open calls',
  holds:
    'Each call is answered once, as failed in the gateway; every client works again within 3 s, without a new start; nothing is left in the end',
  exclusive: true,
  async run(scene) {
    const { connect, gateways, servers, end } = shared(scene);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, connect));
    for (const { client } of clients) await listed(client, ['bad_wait']);
    const calls = clients.map(({ client }) => client.call('bad_wait', { ms: 600_000 }, '"open"'));
    const begun = () => scene.linesOf(scene.logFile('talkative')).filter((line) => line.startsWith('call wait'));
    await until('all calls are open', () => begun().length === CLIENTS);
    const killed = gateways();
    assert.equal(killed.length, 1);
    process.kill(killed[0]!, 'SIGKILL');
    const from = performance.now();
    for (const answer of await inTime('the open calls are answered', 10_000, Promise.all(calls)))
      assert.deepEqual([factsOf(answer)?.reason, answer.isError], ['exited', true]);
    await Promise.all(clients.map(({ client }) => assertTalks(client, 'again')));
    assertTook('work again', performance.now() - from, 3_000);
    for (const { client } of clients)
      assert.equal(client.messages.filter(({ value }) => value.id === 'open').length, 1);
    assert.equal(gateways().length, 1);
    await until('one server process is left', () => servers().filter(isAlive).length === 1, 3_000);
    await end(clients);
  },
};

const AT_ONCE: Fault = {
  id: 'G-at-once',
  what: 'Eight clients of one config start at the same time, and no gateway runs',
  holds: 'One gateway starts, and one process of the upstream; each client is served',
  async run(scene) {
    const { connect, gateways, servers, end } = shared(scene);
    const clients = await Promise.all(Array.from({ length: 8 }, connect));
    await Promise.all(
      clients.map(async ({ client }) => {
        await listed(client, ['bad_echo']);
        await assertTalks(client, 'hello');
      }),
    );
    assert.deepEqual([gateways().length, servers().length], [1, 1]);
    await end(clients);
  },
};

const LEFT_BEHIND = quick({
  id: 'G-left-behind',
  what: 'A shared gateway is killed after its last client: its socket, record and locks are left behind',
  holds: 'The next client has a gateway at once, and only its own process of the upstream runs',
  async run(scene) {
    const { connect, gateways, servers, end } = shared(scene);
    const first = await connect();
    await listed(first.client, ['bad_echo']);
    first.client.end();
    await hasEnded(first.child);
    process.kill(gateways()[0]!, 'SIGKILL');
    const second = await connect();
    await listed(second.client, ['bad_echo']);
    await assertTalks(second.client, 'hello');
    assert.equal(gateways().length, 1);
    await until('one server process is left', () => servers().filter(isAlive).length === 1, 3_000);
    await end([second]);
  },
});

const OPEN_FOLDER = quick({
  id: 'G-open-folder',
  what: 'Other users may write to the folder of sockets',
  holds: 'No gateway is shared there: the client has a private one, and the log says why',
  platforms: ['linux', 'darwin'],
  async run(scene) {
    const { connect, gateways } = shared(scene);
    const run = path.join(scene.home, 'run');
    mkdirSync(run, { recursive: true });
    chmodSync(run, 0o777);
    const gateway = await connect();
    const { client } = gateway;
    await listed(client, ['bad_echo']);
    await assertTalks(client, 'hello');
    assert.deepEqual(gateways(), []);
    assertThat('the log says why', gateway.stderr().includes('others may write to it'));
  },
});

/** The gateway that clients share in the background. */
export const SHARED_GATEWAY_FAULTS: readonly Fault[] = [KILLED, AT_ONCE, LEFT_BEHIND, OPEN_FOLDER];
