import assert from 'node:assert/strict';
import { once } from 'node:events';
import { HttpSession } from '../../../test/support/http/http-client.ts';
import { ModernHttpClient, messagesOf } from '../../../test/support/http/modern-http-client.ts';
import { besideGood } from '../beside.ts';
import { assertEchoes, assertThat, inTime, listed, marked } from '../expect.ts';
import { type Fault, quick } from '../fault.ts';
import { listening } from '../listening.ts';
import { type HttpGateway, type Scene, until } from '../scene.ts';
import { besides } from '../stage.ts';

/** A gateway before the fixture server that has everything, and clients of 2026-07-28. */
async function serveTalkative(scene: Scene, over: 'stdio' | 'http' = 'stdio') {
  const log = scene.logFile('talkative');
  const flags = [`--log=${log}`];
  const entry = over === 'stdio' ? scene.fixture('talkative', flags) : await listening(scene, 'talkative', over, flags);
  const gateway: HttpGateway = await scene.serve({ t: entry });
  const connect = (name: string) => new ModernHttpClient(gateway.url, { name, capabilities: { elicitation: {} } });
  const client = connect('first');
  await until('the tools are listed', async () => (await client.post('tools/list')).body.includes('t_elicit'));
  const count = (start: string) => scene.linesOf(log).filter((line) => line.startsWith(start)).length;
  return { gateway, client, connect, count };
}

const CANCELLED = 'notification notifications/cancelled';
const PLACES = 16;
const STREAMS = 250;
/** Strings are checked for their first 4 KiB when they come. */
const LATE_ESCAPE = `${'x'.repeat(5_000)}\\x`;

const NEVER_BACK: Fault = {
  id: 'H-parked-never-back',
  what: 'a client of 2026-07-28 makes 40 calls that need its answer of an upstream over HTTP, and never comes back with one',
  holds: '16 wait; the others fail at once, and the upstream is told; others are served; SIGTERM ends them all',
  async run(scene) {
    // Over HTTP each question names its call, so calls of one client need not take turns.
    const { gateway, client, connect, count } = await serveTalkative(scene, 'http');
    const outcomes: string[] = [];
    for (let index = 0; index < 40; index++) {
      const { json } = await client.call('t_elicit', { text: marked(`${index}`) });
      outcomes.push(
        json.result.isError === true ? json.result._meta['viaduct/gateway'].reason : json.result.resultType,
      );
    }
    assert.deepEqual(
      outcomes.slice(0, PLACES),
      Array.from({ length: PLACES }, () => 'input_required'),
    );
    assert.deepEqual(
      outcomes.slice(PLACES),
      Array.from({ length: 40 - PLACES }, () => 'overloaded'),
    );
    await until('the upstream is told', () => count(CANCELLED) === 40 - PLACES);
    const other = connect('other');
    assert.equal(await other.callText('t_echo', { text: 'x' }), 'talkative: x');
    assert.equal((await other.call('t_elicit', { text: '?' })).json.result.resultType, 'input_required');
    const exited = once(gateway.child, 'exit');
    gateway.child.kill('SIGTERM');
    assert.deepEqual(await inTime('the gateway ends', 5_000, exited), [0, null]);
    assert.equal(count(CANCELLED), 40 + 1, 'each call was cancelled once');
  },
};

const LISTEN_FLOOD: Fault = {
  id: 'H-listen-flood',
  what: 'a client of 2026-07-28 opens 300 streams of changes',
  holds: '250, then 429; calls and clients of other eras are served; one that closes makes room; all end with SIGTERM',
  async run(scene) {
    const { gateway, client, connect } = await serveTalkative(scene);
    const listen = () => client.open('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const statusOfOne = async (stream: ReturnType<typeof listen>) => (await stream.response).statusCode;
    const open = Array.from({ length: 300 }, listen);
    const statuses = await Promise.all(open.map(statusOfOne));
    assert.equal(statuses.filter((status) => status === 200).length, STREAMS);
    assert.equal(statuses.filter((status) => status === 429).length, 300 - STREAMS);
    assert.equal(await connect('other').callText('t_echo', { text: 'x' }), 'talkative: x');
    const session = await HttpSession.open(gateway.url);
    assert.equal(await session.callText('t_echo', { text: 'y' }), 'talkative: y');
    open[statuses.indexOf(200)]!.leave();
    await until('there is room again', async () => (await statusOfOne(listen())) === 200);
    const last = messagesOf(await open[statuses.lastIndexOf(200)]!.response);
    await last.next();
    gateway.child.kill('SIGTERM');
    assert.equal((await last.next()).value.result.resultType, 'complete');
    await inTime('the gateway ends', 5_000, once(gateway.child, 'exit'));
  },
};

const DIES_OF_QUESTION: Fault = {
  id: 'R-dies-of-question',
  what: 'An upstream dies of the question which era it speaks',
  holds: 'Started once more and opened as it is used to; never asked again; calls of others go on',
  async run(scene) {
    const log = scene.logFile('modern');
    const config = scene.config({
      upstreams: {
        bad: scene.fixture('modern', ['--legacy', '--on-discover=death', `--log=${log}`]),
        good: scene.fixture('hostile', [`--log=${scene.logFile('good')}`]),
      },
    });
    const { client } = await scene.stdio(config);
    await listed(client, ['good_echo']);
    await besideGood(client, async () => {
      await listed(client, ['bad_echo']);
      assert.match(await client.callText('bad_echo', { text: 'x' }), /^echo: /);
    });
    const asked = () => scene.linesOf(log).filter((line) => line.includes('server/discover')).length;
    assert.deepEqual([scene.pidsIn(log).length, asked()], [2, 1]);
    const { client: later } = await scene.stdio(config);
    assert.match(await later.callText('bad_echo', { text: 'y' }), /^echo: /);
    assert.deepEqual([scene.pidsIn(log).length, asked()], [3, 1]);
  },
};

const CLIENT_LATE_ESCAPE: Fault = {
  id: 'B-client-late-escape',
  what: 'A client sends a call whose arguments end in a bad escape, far inside a long string',
  holds: 'The call is answered; calls of others go on',
  run: (scene) =>
    besides(scene, 'ok', async ({ client }) => {
      const params = `{"name":"bad_echo","arguments":{"text":"${LATE_ESCAPE}"}}`;
      await inTime('an answer', 5_000, client.request('tools/call', params));
      await assertEchoes(client);
    }),
};

const LATE_ESCAPE_ANSWER: Fault = {
  id: 'B-late-escape',
  what: 'An upstream answers with structuredContent that ends in a bad escape, far inside a long string',
  holds: 'Passed on as it is; the gateway lives, and calls of others work',
  async run(scene) {
    const gateway = await scene.serve({
      bad: scene.hostile('late-escape'),
      good: scene.fixture('hostile', [`--log=${scene.logFile('good')}`]),
    });
    const session = await HttpSession.open(gateway.url);
    const names = ['bad_structured', 'good_echo'];
    await until('the tools are listed', async () => {
      const present = await session.toolNames();
      return names.every((name) => present.includes(name));
    });
    const { body } = await session.post(session.request('tools/call', { name: 'bad_structured', arguments: {} }));
    assertThat('the answer as it is', body.includes(LATE_ESCAPE));
    assert.equal(await session.callText('good_echo', { text: 'x' }), 'x');
    assert.equal(gateway.child.exitCode, null);
  },
};

/** The faults that exist because there are two eras, and faults that were found with them. */
export const ERA_FAULTS: readonly Fault[] = [
  NEVER_BACK,
  LISTEN_FLOOD,
  quick(DIES_OF_QUESTION),
  quick(CLIENT_LATE_ESCAPE),
  quick(LATE_ESCAPE_ANSWER),
];
