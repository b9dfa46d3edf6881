import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { besideGood } from '../beside.ts';
import {
  assertAtMost,
  assertEchoes,
  assertFailed,
  assertGone,
  assertThat,
  assertTook,
  factsOf,
  inTime,
  listed,
  marked,
  statusOf,
  timed,
} from '../expect.ts';
import type { Fault } from '../fault.ts';
import { type Scene, until } from '../scene.ts';
import { besides, stage } from '../stage.ts';

const CHANGED = 'notifications/tools/list_changed';

/** The official client, which judges every answer by its schemas, behind the gateway. */
async function officialClient(scene: Scene, config: string): Promise<Client> {
  const client = new Client({ name: 'official', version: '1' });
  const env = Object.fromEntries(Object.entries(scene.environment()).filter(([, value]) => value !== undefined));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.resolve('dist/main.js'), 'stdio', '--config', config],
    env: env as Record<string, string>,
    stderr: 'ignore',
  });
  await client.connect(transport);
  scene.onClose(() => client.close());
  return client;
}

const structured = (
  id: string,
  mode: string,
  what: string,
  holds: string,
  check: (result: unknown) => void,
): Fault => ({
  id,
  what,
  holds,
  async run(scene) {
    const { config } = await stage(scene, mode, { shared: true, wait: ['bad_structured', 'good_echo'] });
    const client = await officialClient(scene, config);
    await client.listTools();
    check(await inTime('the result', 3_000, client.callTool({ name: 'bad_structured', arguments: {} })));
  },
});

const OUTPUTS: Fault[] = [
  structured(
    'K-text-for-structure',
    'text-only',
    'A tool with an output schema answers with JSON text only; the client is strict',
    'The client gets the result, not a protocol error',
    (result) => assert.match(JSON.stringify(result), /\\"ok\\":true/),
  ),
  {
    id: 'K-structure-breaks-schema',
    what: 'A tool answers with an object that breaks its own output schema; the client is strict',
    holds: 'After the first such answer the tool is offered without that schema, and the content reaches the client',
    async run(scene) {
      const { config } = await stage(scene, 'bad-structure', { shared: true, wait: ['bad_structured', 'good_echo'] });
      const client = await officialClient(scene, config);
      const offersSchema = async () =>
        (await client.listTools()).tools.find(({ name }) => name === 'bad_structured')?.outputSchema !== undefined;
      assertThat('the schema is offered at first', await offersSchema());
      await client.callTool({ name: 'bad_structured', arguments: {} }).catch(() => undefined);
      await until('the schema is withdrawn', async () => !(await offersSchema()));
      const result = await client.callTool({ name: 'bad_structured', arguments: {} });
      assert.match(JSON.stringify(result), /kept/);
    },
  },
  {
    id: 'K-structure-kept',
    what: 'A tool answers with text and an object',
    holds: 'Both arrive, byte for byte',
    run: (scene) =>
      besides(
        scene,
        'good-structure',
        async ({ client }) => {
          const { text } = await client.request('tools/call', { name: 'bad_structured' }, '"s"');
          const body = '{"content":[{"type":"text","text":"{}"}],"structuredContent":{ "ok":true, "n":1.50 }}';
          assert.equal(text, `{"jsonrpc":"2.0","id":"s","result":${body}}`);
        },
        { wait: ['bad_structured', 'good_echo'] },
      ),
  },
  {
    id: 'K-recursive-schema',
    what: 'A tool whose schema refers to itself through `$defs` (`validation: enforce`)',
    holds: 'The schema is shown whole; deep arguments that fit pass, ones that do not are refused with their path',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'refs',
        async ({ client }) => {
          const tools = (await client.request('tools/list')).value.result.tools as {
            name: string;
            inputSchema: object;
          }[];
          const schema = JSON.stringify(tools.find(({ name }) => name === 'bad_nested')!.inputSchema);
          assert.match(schema, /"\$ref":"#\/\$defs\/node".*"\$defs":\{"node"/);
          const leaf = { name: 'leaf' };
          const fits = { tree: { name: 'root', children: [{ name: 'branch', children: [leaf] }] } };
          assert.match(await client.callText('bad_nested', fits), /^hex /);
          const misfit = { tree: { name: 'root', children: [{ name: 'branch', children: [{ name: 7 }] }] } };
          const refused = await client.call('bad_nested', misfit);
          assert.equal(refused.isError, true);
          assert.match(refused.content[0].text, /children.*children.*name/s);
        },
        { bad: { validation: 'enforce' }, wait: ['bad_nested', 'good_echo'] },
      ),
  },
];

const LISTS: Fault[] = [
  {
    id: 'K-tool-appears',
    what: 'A tool appears during a call, while two clients are connected',
    holds: 'Each client hears of it once; the tool is listed and can be called',
    quick: true,
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const { client: other } = await scene.stdio(set.config);
      await listed(other, ['bad_echo', 'good_echo']);
      const before = [set.client, other].map((client) => client.notifications(CHANGED).length);
      await besideGood(other, async () => {
        await set.client.call('bad_add-tool', { name: 'fresh' });
        await listed(other, ['bad_fresh']);
        await delay(500);
      });
      assert.match(await set.client.callText('bad_fresh'), /^hex /);
      const after = [set.client, other].map((client, index) => client.notifications(CHANGED).length - before[index]!);
      assert.deepEqual(after, [1, 1]);
    },
  },
  {
    id: 'K-notice-without-change',
    what: 'An upstream says twenty times that its list changed, which it has not',
    holds: 'No client hears of it',
    run: (scene) =>
      besides(scene, 'ok', async ({ client }) => {
        const before = client.notifications(CHANGED).length;
        await client.callText('bad_say-changed', { times: 20 });
        await delay(1_000);
        assert.equal(client.notifications(CHANGED).length, before);
      }),
  },
  {
    id: 'K-one-notice-a-sync',
    what: 'An upstream with many tools is read for the first time after a client asked for its list',
    holds: 'One notice, not one for each tool',
    async run(scene) {
      const { client } = await stage(scene, 'slow-list', { wait: ['good_echo'] });
      const before = client.notifications(CHANGED).length;
      await until('a notice', () => client.notifications(CHANGED).length > before);
      await listed(client, ['bad_echo']);
      await delay(500);
      assert.equal(client.notifications(CHANGED).length - before, 1);
    },
  },
  {
    id: 'K-one-of-four',
    what: 'Of four upstreams one works, one is missing, one hangs and one crashes',
    holds: "The good one's tools within a second; three states that differ",
    async run(scene) {
      const { client, config } = await stage(scene, 'silent-start', {
        shared: true,
        wait: [],
        others: { missing: { command: 'no-such-command' }, crashing: scene.hostile('crash-at-start') },
      });
      const { ms } = await timed(listed(client, ['good_echo']));
      assertTook('the list', ms, 1_000);
      await until(
        'the crash loop is over',
        async () => (await statusOf(scene, config, 'crashing')).state === 'crash-loop',
        15_000,
      );
      assert.equal((await statusOf(scene, config, 'missing')).state, 'failed');
      assert.equal((await statusOf(scene, config, 'bad')).state, 'starting');
    },
  },
  {
    id: 'K-approval-pending',
    what: 'An upstream answers initialize but not tools/list, as Xcode does until its user agrees',
    holds: 'Its state is `waiting`, the others are listed at once, and it can be called',
    async run(scene) {
      const quiet = await stage(scene, 'hang-list', {
        shared: true,
        bad: { timeouts: { listMs: 300 } },
        wait: ['good_echo'],
      });
      await until('it is waiting', async () => (await statusOf(scene, quiet.config)).state === 'waiting');
      await assertEchoes(quiet.client);
    },
  },
];

const PROCESSES: Fault[] = [
  {
    id: 'K-one-process-for-six',
    what: 'Six clients connect at once',
    holds: 'One process of each upstream, and all are served',
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const others = await Promise.all(Array.from({ length: 5 }, () => scene.stdio(set.config)));
      await Promise.all([set.client, ...others.map(({ client }) => client)].map((client) => assertEchoes(client)));
      assert.equal(set.badPids().length, 1);
    },
  },
  {
    id: 'K-killed-in-three-calls',
    what: 'An upstream is killed from outside during three calls',
    holds: 'Three typed failures, one new process, the next call works',
    quick: true,
    run: (scene) =>
      besides(scene, 'ok', async ({ client, log, badPids }) => {
        const calls = [1, 2, 3].map((number) => client.call('bad_hang', { text: marked(`${number}`) }));
        await until('they arrived', () => log().filter((line) => line.startsWith('call hang')).length === 3);
        process.kill(badPids()[0]!, 'SIGKILL');
        for (const result of await inTime('the failures', 1_000, Promise.all(calls))) {
          assertFailed(result, { reason: 'exited', effect: 'unknown' });
        }
        await assertEchoes(client);
        assert.equal(badPids().length, 2);
      }),
  },
  {
    id: 'K-upstream-behind-wrapper',
    what: 'An upstream is behind a wrapper that passes no signal on (npm exec) when the client goes away',
    holds: 'The gateway ends within 5 s, and the wrapper and the server with it',
    async run(scene) {
      const gateway = await scene.stdio({ bad: scene.hostile('wrapper-npx') });
      await listed(gateway.client, ['bad_echo']);
      const pids = scene.pidsIn(scene.logFile('wrapper-npx'));
      assert.equal(pids.length, 2, 'the wrapper and the server');
      gateway.client.end();
      await assertGone([...pids, gateway.child.pid!], 5_000);
    },
  },
  {
    id: 'K-stderr-deadlock',
    what: 'An upstream writes far more to standard error than a pipe holds, during a call',
    holds: 'The call returns; status keeps the end of it',
    async run(scene) {
      const { client, config } = await stage(scene, 'stderr-flood', { shared: true });
      assert.equal(await inTime('the answer', 30_000, client.callText('bad_go')), 'after the flood');
      const { stderr } = await statusOf(scene, config);
      assertThat(`${stderr.length} lines are kept`, stderr.length > 0 && JSON.stringify(stderr).length < 64 * 1024);
    },
  },
];

const CALLS: Fault[] = [
  {
    id: 'K-progress-keeps-alive',
    what: 'A call takes six times its limit and reports progress',
    holds: 'It succeeds; all progress arrives, the last one before the result',
    run: (scene) =>
      besides(
        scene,
        'ok',
        async ({ client }) => {
          const params = {
            name: 'bad_slow',
            arguments: { steps: 12, everyMs: 200 },
            _meta: { progressToken: 'alive' },
          };
          const answer = await client.request('tools/call', params);
          assert.equal(answer.value.result.content[0].text, 'done');
          const progress = client.notifications('notifications/progress');
          assert.equal(progress.at(-1)?.value.params.progress, 12);
          assertThat('before the result', client.messages.indexOf(progress.at(-1)!) < client.messages.indexOf(answer));
        },
        { bad: { timeouts: { callMs: 400 } } },
      ),
  },
  {
    id: 'K-progress-is-not-for-ever',
    what: 'A call reports progress for longer than the hard limit',
    holds: 'It ends as `timeout` at the hard limit',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'ok',
        async ({ client }) => {
          const params = { name: 'bad_slow', arguments: { steps: 100, everyMs: 100 }, _meta: { progressToken: 'on' } };
          const { value, ms } = await timed(client.request('tools/call', params));
          assertFailed(value.value.result, { reason: 'timeout', effect: 'unknown' });
          assertTook('the answer', ms, 2_500);
        },
        { bad: { timeouts: { callMs: 500, totalMs: 1_000 } } },
      ),
  },
  {
    id: 'K-progress-tokens',
    what: 'Progress tokens that are text, a number, or not there',
    holds: 'The same token comes back with its type; without one there is no progress',
    run: (scene) =>
      besides(scene, 'ok', async ({ client }) => {
        const call = async (meta: object) => {
          const from = client.messages.length;
          await client.request('tools/call', { name: 'bad_slow', arguments: { steps: 2, everyMs: 60 }, ...meta });
          return client.messages
            .slice(from)
            .flatMap(({ value }) => (value.method === 'notifications/progress' ? [value.params.progressToken] : []));
        };
        assert.deepEqual(await call({ _meta: { progressToken: 'x' } }), ['x', 'x']);
        assert.deepEqual(await call({ _meta: { progressToken: 7 } }), [7, 7]);
        assert.deepEqual(await call({ _meta: { progressToken: '7' } }), ['7', '7']);
        assert.deepEqual(await call({}), []);
      }),
  },
  {
    id: 'K-cancel-reaches-upstream',
    what: 'A client cancels a tool call',
    holds: 'The upstream is told with the id under which it knows the call; the client hears nothing more of it',
    run: (scene) =>
      besides(scene, 'ok', async ({ client, log }) => {
        client.write('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"bad_hang","arguments":{}}}');
        await until('it arrived', () => log().some((line) => line.startsWith('call hang')));
        client.notify('notifications/cancelled', { requestId: 'c', reason: 'enough' });
        const id = /call hang (\d+)/.exec(log().join('\n'))![1];
        await until('it was told', () => log().some((line) => line.includes(`"requestId":${id}`)));
        await assertEchoes(client);
        assert.equal(client.messages.filter(({ value }) => value.id === 'c').length, 0);
      }),
  },
  {
    id: 'K-arguments-untouched',
    what: 'Arguments in two shapes for one member, which some servers take both',
    holds: 'Both are forwarded as they are',
    quick: true,
    run: (scene) =>
      besides(scene, 'ok', async ({ client }) => {
        for (const text of ['move', { rawValue: 'move' }]) {
          assert.equal(
            await client.callText('bad_echo', { text }),
            typeof text === 'string' ? text : JSON.stringify(text),
          );
        }
      }),
  },
  {
    id: 'K-retry-storm',
    what: 'An upstream exits after each handshake, and clients keep calling it',
    holds: 'Calls cause no more starts than the budget; no call hangs',
    async run(scene) {
      const { client, badPids } = await stage(scene, 'crash-after-init', { wait: ['good_echo'] });
      await besideGood(client, async () => {
        const started = performance.now();
        while (performance.now() - started < 10_000) {
          const result = await inTime('an answer', 6_000, client.call('bad_hang', { text: marked('x') }));
          assert.match(factsOf(result).reason, /^(exited|not_connected|circuit_open)$/);
          await delay(20);
        }
      });
      assertAtMost('starts', badPids().length, 5);
    },
  },
];

export const CASE_FAULTS: readonly Fault[] = [...OUTPUTS, ...LISTS, ...PROCESSES, ...CALLS];
