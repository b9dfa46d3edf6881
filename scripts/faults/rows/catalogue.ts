import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawClient } from '../../../test/support/clients/raw-client.ts';
import { LINE_ENDS } from '../../../test/support/lines.ts';
import { besideGood } from '../beside.ts';
import {
  assertAtMost,
  assertEchoes,
  assertFailed,
  assertThat,
  assertTook,
  inTime,
  listed,
  marked,
  statusOf,
  timed,
} from '../expect.ts';
import { type Fault, quick } from '../fault.ts';
import { forgetPeak, peakMib, residentMib } from '../process-figures.ts';
import { MARKER, type Scene, until } from '../scene.ts';
import { type Stage, stage } from '../stage.ts';

const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;
const INVISIBLE = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

interface ListedTool {
  readonly name: string;
  readonly description?: string;
}

const toolsOf = async (client: RawClient): Promise<ListedTool[]> =>
  (await client.request('tools/list')).value.result.tools;

/** All names are unique and legal, and each call reaches the tool that it names. */
async function assertNamesHold({ client }: Stage, least: number): Promise<void> {
  const tools = (await toolsOf(client)).filter(({ description }) => description?.startsWith('hex '));
  assertThat(`${tools.length} tools, at least ${least}`, tools.length >= least);
  const names = (await toolsOf(client)).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, 'unique');
  assert.deepEqual(
    names.filter((name) => !LEGAL.test(name)),
    [],
  );
  for (const { name, description } of tools) assert.equal(await client.callText(name), description);
}

const names = (mode: string, what: string, least: number): Fault => ({
  id: `F-${mode}`,
  what,
  holds: 'All names are unique and legal, at most 64 characters, the same after a restart; each call reaches its tool',
  async run(scene) {
    const first = await stage(scene, mode);
    await besideGood(first.client, () => assertNamesHold(first, least));
    const before = (await first.client.toolNames()).toSorted();
    const again = await stage(scene, mode);
    assert.deepEqual((await again.client.toolNames()).toSorted(), before);
  },
});

const NAMES: Fault[] = [
  names('dup-tools', 'The same tool three times in a list', 1),
  quick(names('collide-names', 'Tools whose names become the same when they are cleaned', 7)),
  quick(names('evil-names', 'Tools with paths, control characters, `__proto__` and 90 letters as names', 11)),
  names('long-name', 'One tool of 90 characters among ten', 0),
  {
    id: 'F-shadow',
    what: "Tools named like the gateway's own and like another upstream's",
    holds: "The gateway's and the other's own are called; the copies have names of their own",
    quick: true,
    async run(scene) {
      const config = { enabledWorkflows: ['xcode-ide'] };
      const set = await stage(scene, 'shadow', { config });
      await besideGood(set.client, () => assertNamesHold(set, 6));
      await assertEchoes(set.client, 'good_echo');
      const own = await set.client.call('xcode_tools_bridge_status');
      assertThat('the status comes from the gateway', !JSON.stringify(own).includes('hex '));
    },
  },
  {
    id: 'F-same-in-both',
    what: 'Two upstreams have tools of the same names',
    holds: 'Both are reachable, and names do not depend on which one starts first',
    async run(scene) {
      const set = await stage(scene, 'ok', { wait: ['bad_env', 'good_env'] });
      await besideGood(set.client, () => assertEchoes(set.client));
      const logs = ['ok', 'good'].map((mode) => () => scene.linesOf(scene.logFile(mode)));
      for (const [index, name] of ['bad_env', 'good_env'].entries()) {
        await set.client.callText(name);
        const calls = logs.map((log) => log().filter((line) => line.startsWith('call env ')).length);
        assert.deepEqual(calls, index === 0 ? [1, 0] : [1, 1], `calls of env after ${name}`);
      }
      const first = (await set.client.toolNames()).toSorted();
      const late = await stage(scene, 'slow-start', { wait: ['bad_echo', 'good_echo'] });
      assert.deepEqual((await late.client.toolNames()).toSorted(), first);
    },
  },
];

const page = (mode: string, what: string, holds: string, check: (stage: Stage) => Promise<void>): Fault => ({
  id: `F-${mode}`,
  what,
  holds,
  async run(scene) {
    const set = await stage(scene, mode, { shared: true });
    await besideGood(set.client, async () => {
      await check(set);
      await assertEchoes(set.client);
    });
  },
});

const neverEnds = async ({ scene, config, client }: Stage) => {
  const status = await statusOf(scene, config);
  assert.equal(status.state, 'ready');
  assert.match(status.listErrors[0], /never ends/);
  assertAtMost('tools', (await client.toolNames()).length, 1_100);
};

const PAGES: Fault[] = [
  page(
    'page-loop-new',
    'There is always one more page of tools',
    'At most 1,000 pages are read; status says so',
    neverEnds,
  ),
  page('page-loop-same', 'The same cursor comes again and again', 'Reading stops there; status says so', neverEnds),
  page(
    'page-empty-cursor',
    'The cursor of the next page is the empty string, on every page',
    'There is no next page: the list is read once, and nothing is reported',
    async ({ scene, config, log }) => {
      assert.deepEqual((await statusOf(scene, config)).listErrors, []);
      assert.equal(log().filter((line) => line.startsWith('list ')).length, 1);
    },
  ),
  {
    id: 'F-pages',
    what: 'A list of 26 tools comes in pages of five',
    holds: 'All 26, in order, once',
    async run(scene) {
      const { client } = await stage(scene, 'pages', { wait: ['bad_t25', 'good_echo'] });
      const own = (await client.toolNames()).filter((name) => name.startsWith('bad_'));
      assert.deepEqual(
        own,
        Array.from({ length: 26 }, (_, index) => `bad_t${String(index).padStart(2, '0')}`),
      );
    },
  },
  {
    id: 'F-bad-tools',
    what: 'A list with entries that are null, without a name, without a schema',
    holds: 'Eight good tools are listed; the others are reported in status',
    async run(scene) {
      const { client, config } = await stage(scene, 'bad-tools', { shared: true, wait: ['bad_good0', 'good_echo'] });
      const own = (await client.toolNames()).filter((name) => name.startsWith('bad_'));
      assert.equal(own.length, 8);
      assert.equal((await statusOf(scene, config)).skipped.length, 4);
    },
  },
  ...['list-error', 'list-shape'].map(
    (mode): Fault => ({
      id: `F-${mode}`,
      what: mode === 'list-error' ? 'tools/list is answered with an error' : 'tools/list is answered with an object',
      holds: 'Status says so; the others are listed; its tools can be called all the same',
      quick: true,
      async run(scene) {
        const { client, config } = await stage(scene, mode, { shared: true, wait: ['good_echo'] });
        await besideGood(client, () => assertEchoes(client));
        assert.match((await statusOf(scene, config)).listErrors[0], /tools\/list was answered/);
      },
    }),
  ),
  {
    id: 'F-many-tools',
    what: 'An upstream has 10,000 tools',
    holds: 'Listed within 300 ms once known; at most 80 MiB of memory more; an equal list changes nothing',
    exclusive: true,
    async run(scene) {
      const { client, pid } = await stage(scene, 'many-tools', { wait: ['good_echo'] });
      const before = residentMib(pid);
      forgetPeak(pid);
      await listed(client, ['bad_many_9999'], 15_000);
      const { value, ms } = await timed(client.toolNames());
      assert.equal(value.filter((name) => name.startsWith('bad_many_')).length, 10_000);
      assertTook('the list', ms, 300);
      assertAtMost('MiB more at the peak', peakMib(pid) - before, 80);
    },
  },
];

/** A web server that must never be asked for anything. */
async function canary(scene: Scene): Promise<{ url: string; hits: () => number }> {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.end('{"type":"string"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scene.onClose(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`, hits: () => hits };
}

const BOMBS = ['code', 'ref', 'file_ref', 'deep', 'doubling', 'circle', 'wide', 'enum', 'proto', 'bad_pattern'];

const schemaBomb = (validation: 'warn' | 'enforce'): Fault => ({
  id: `F-schema-bomb-${validation}`,
  what: `Schemas that are dangerous to read (validation: ${validation}): code in names, recursion, 2^40 branches, \`$ref\` to the network`,
  holds: 'No code runs, nothing is fetched, lists within 1 s, a pattern that backtracks costs at most 50 ms',
  exclusive: true,
  async run(scene) {
    const { url, hits } = await canary(scene);
    const { client, badPids, gateway } = await stage(scene, 'schema-bomb', {
      args: [`--ref=${url}`],
      bad: { validation },
      wait: ['bad_bomb_redos', 'good_echo'],
    });
    const { ms } = await timed(client.toolNames());
    assertTook('the list', ms, 1_000);
    await besideGood(client, async () => {
      const redos = await timed(client.call('bad_bomb_redos', { text: `${'a'.repeat(40)}!` }));
      assertTook('the pattern', redos.ms, 50 + 100);
      for (const bomb of BOMBS) {
        await inTime(bomb, 3_000, client.call(`bad_bomb_${bomb}`, { a: { a: 'x' }, text: marked(bomb) }));
      }
    });
    assert.equal(hits(), 0, 'requests to the network');
    assert.equal(gateway.child.exitCode, null);
    assert.equal(badPids().length, 1);
  },
});

const description = async (client: RawClient, name: string) =>
  (await toolsOf(client)).find((tool) => tool.name === name)?.description;

const PULLED = /id_rsa/;

/** After a tool was changed unnoticed: hidden, refused, and available again when a person accepts it. */
async function assertPinned({ client, scene, config }: Stage): Promise<void> {
  await until('the changed tool is hidden', async () => !(await client.toolNames()).includes('bad_echo'));
  assertThat('other tools stay', (await client.toolNames()).includes('bad_other'));
  assertFailed(await client.call('bad_echo', { text: marked('pinned') }), { reason: 'pinned', effect: 'none' });
  const diff = await scene.viaduct(['pins', 'diff', 'bad', '--config', config]);
  assert.match(diff.output, PULLED);
  const accepted = await scene.viaduct(['pins', 'accept', 'bad', '--config', config]);
  assert.equal(accepted.code, 0, accepted.output);
  await listed(client, ['bad_echo']);
  await assertEchoes(client);
}

const ENFORCE = { bad: { pins: 'enforce' }, shared: true };

const PINS: Fault[] = [
  {
    id: 'T-rug-pull',
    what: 'A tool changes its description after it was approved, and says so (`pins: enforce`)',
    holds: 'It is hidden, calls are refused as `pinned`, others stay; `viaduct pins accept` brings it back',
    async run(scene) {
      const set = await stage(scene, 'rug-pull', { ...ENFORCE, wait: ['bad_other', 'good_echo'] });
      await besideGood(set.client, async () => {
        assert.equal(await set.client.callText('bad_go'), 'changed');
        await assertPinned(set);
      });
    },
  },
  {
    id: 'T-rug-pull-silent',
    what: 'A tool changes its description without a notification (`pins: enforce`)',
    holds: 'It is noticed at the next read of the list, and hidden',
    async run(scene) {
      const set = await stage(scene, 'rug-pull-silent', { ...ENFORCE, wait: ['bad_other', 'good_echo'] });
      await besideGood(set.client, async () => {
        assert.equal(await set.client.callText('bad_go'), 'changed');
        await scene.viaduct(['sync', 'bad', '--config', set.config]);
        await assertPinned(set);
      });
    },
  },
  {
    id: 'T-rug-pull-restart',
    what: 'A tool has another description after the gateway was restarted (`pins: enforce`)',
    holds: 'It is hidden from the first list on',
    async run(scene) {
      const first = await stage(scene, 'rug-pull-restart', { bad: { pins: 'enforce' } });
      await assertEchoes(first.client);
      const exit = once(first.gateway.child, 'exit');
      first.gateway.child.kill('SIGTERM');
      await exit;
      const env = { FAULT_TOKEN: 'vd5ecret', FAULT_PULLED: '1' };
      const second = await stage(scene, 'rug-pull-restart', { bad: { pins: 'enforce', env }, wait: ['bad_other'] });
      assertThat('hidden', !(await second.client.toolNames()).includes('bad_echo'));
      assertFailed(await second.client.call('bad_echo'), { reason: 'pinned', effect: 'none' });
    },
  },
  {
    id: 'T-rug-pull-warn',
    what: 'A tool changes its description after it was approved (`pins: warn`, the default)',
    holds: 'The tool stays, with one line in the log that names it',
    async run(scene) {
      const set = await stage(scene, 'rug-pull', { wait: ['bad_other', 'good_echo'] });
      await besideGood(set.client, async () => {
        assert.equal(await set.client.callText('bad_go'), 'changed');
        await until('the change arrived', async () => PULLED.test((await description(set.client, 'bad_echo')) ?? ''));
        await delay(300);
      });
      const lines = set.gateway
        .stderr()
        .split('\n')
        .filter((line) => /"level":40/.test(line) && /"event":"pin/.test(line));
      assert.equal(lines.length, 1, 'warnings');
      assert.match(lines[0]!, /echo/);
      await assertEchoes(set.client);
    },
  },
];

const TEXTS: Fault[] = [
  {
    id: 'T-poison-desc',
    what: 'Escapes of terminals, reversed text, letters without width and invisible tags in names and texts',
    holds: 'None of them reaches a client or a terminal; the words around them stay',
    async run(scene) {
      const { client, config } = await stage(scene, 'poison-desc', { wait: ['bad_poisoned', 'good_echo'] });
      const { text, value } = await client.request('tools/list');
      const find = (json: string) => INVISIBLE.exec(json.replaceAll('\n', ' '))?.[0].codePointAt(0)?.toString(16);
      assert.equal(find(text), undefined, 'raw');
      assert.equal(
        find(
          JSON.stringify(value).replace(/\\u([0-9a-f]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        ),
        undefined,
        'escaped',
      );
      const tool = value.result.tools.find(({ name }: ListedTool) => name === 'bad_poisoned');
      assert.match(tool.description, /^Reads.* files$/);
      assert.match(tool.inputSchema.properties.text.description, /^Text/);
      const { output } = await scene.viaduct(['tools', '--config', config]);
      assert.equal(find(output), undefined, 'on a terminal');
    },
  },
  {
    id: 'L-injection',
    what: 'An upstream writes line breaks, ANSI and forged log lines to standard error and in errors',
    holds:
      'Every line of the log is one JSON object of the gateway to every reader of lines; nothing in it moves a terminal',
    async run(scene) {
      const { client, gateway, log } = await stage(scene, 'leaky-log');
      await until('it was written', () => log().includes('leaked'));
      await client.call('bad_go');
      await until('the log has it', () => gateway.stderr().includes('evil'));
      const lines = gateway.stderr().trimEnd().split('\n');
      assertThat('a line is one to every reader', !LINE_ENDS.some((end) => lines.some((line) => line.includes(end))));
      assert.deepEqual(
        lines.filter((line) => JSON.parse(line).event === 'forged'),
        [],
      );
      assertThat('no control or bidi characters', !lines.some((line) => INVISIBLE.test(line)));
    },
  },
  {
    id: 'L-leak',
    what: 'An upstream writes its own secret to standard error and standard output, raw, URL-encoded, base64 and as JSON',
    holds: 'Log and status show a mask instead',
    quick: true,
    async run(scene) {
      const { gateway, config, log } = await stage(scene, 'leaky-log', { shared: true });
      await until('it was written', () => log().includes('leaked'));
      await until('the log has it', () => gateway.stderr().includes('token is'));
      const status = JSON.stringify(await statusOf(scene, config));
      for (const shown of [gateway.stderr(), status]) {
        assertThat('the lines are shown', shown.includes('token is'));
        for (const form of ['vd5ecret', 'dmQ1ZWNyZXQ']) assertThat('without the secret', !shown.includes(form));
      }
    },
  },
  {
    id: 'L-edges',
    what: 'An upstream writes its own secret across the place where a long line, noise or an error is cut',
    holds: 'Log and status show a mask instead, and nothing of the part before the cut',
    quick: true,
    async run(scene) {
      const { gateway, config } = await stage(scene, 'leaky-edges', { shared: true });
      await until('the log has it', () => gateway.stderr().includes('all of it was written'));
      const status = JSON.stringify(await statusOf(scene, config));
      assertThat('the error is shown', status.includes('resources/list was answered with'));
      for (const shown of [gateway.stderr(), status]) {
        assertThat('the lines are shown', shown.includes('xxx[secret]…'));
        assertThat('without a part of the secret', !shown.includes(MARKER.slice(0, 4)));
      }
    },
  },
];

export const CATALOGUE_FAULTS: readonly Fault[] = [
  ...NAMES,
  ...PAGES,
  schemaBomb('warn'),
  schemaBomb('enforce'),
  ...PINS,
  ...TEXTS,
];
