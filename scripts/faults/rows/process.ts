import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { besideGood } from '../beside.ts';
import {
  assertAtMost,
  assertBetween,
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
import { type Fault, quick } from '../fault.ts';
import { type Entry, until } from '../scene.ts';
import { besides, type Stage, stage } from '../stage.ts';

const callsOf = (log: readonly string[], tool: string) => log.filter((line) => line.startsWith(`call ${tool} `)).length;

/** `go` ends the process while another call is open: both are answered, once, and the same client goes on. */
async function diesInCall({ client, badPids, log }: Stage): Promise<void> {
  const hanging = client.call('bad_hang');
  await until('the hanging call arrived', () => callsOf(log(), 'hang') === 1);
  const { value, ms } = await timed(client.call('bad_go', { text: marked('dies') }, '"dying"'));
  assertFailed(value, { reason: 'exited', effect: 'unknown' });
  assertTook('the answer', ms, 1_000);
  assertFailed(await inTime('the other call is answered', 1_000, hanging), { reason: 'exited', effect: 'unknown' });
  await assertEchoes(client);
  assert.equal(badPids().length, 2, 'starts');
  assert.equal(callsOf(log(), 'go'), 1, 'a call that was written is not repeated');
  assert.equal(client.messages.filter(({ value: message }) => message.id === 'dying').length, 1);
}

const diesOf = (mode: string, what: string): Fault => ({
  id: `R-${mode}`,
  what,
  holds: 'Open calls are answered `exited` within a second, once; it is started again; the same client goes on',
  run: (scene) => besides(scene, mode, diesInCall),
});

const DEATHS: Fault[] = [
  diesOf('crash-mid-call', 'An upstream exits with an error during a call'),
  diesOf('exit0-mid-call', 'An upstream exits without an error during a call'),
  quick(diesOf('segv-mid-call', 'An upstream dies of SIGSEGV during a call')),
  diesOf('kill9-mid-call', 'An upstream is killed during a call'),
  quick(diesOf('half-answer-then-die', 'An upstream dies in the middle of an answer')),
  diesOf('close-stdout', 'An upstream closes its standard output and lives on'),
  {
    id: 'R-grandchild-holds-stdout',
    what: 'An upstream exits, but a process that it started holds its standard output open',
    holds: 'The exit counts: answered within a second, the process that was left is ended',
    quick: true,
    run: (scene) =>
      besides(scene, 'grandchild-holds-stdout', async ({ client, badPids }) => {
        const { value, ms } = await timed(client.call('bad_go'));
        assertFailed(value, { reason: 'exited', effect: 'unknown' });
        assertTook('the answer', ms, 1_000);
        await assertEchoes(client, 'bad_echo', 6_000);
        await assertGone(badPids().slice(0, 2), 5_000);
      }),
  },
  {
    id: 'R-crash-leaves-grandchild',
    what: 'An upstream crashes and leaves a process that ignores SIGTERM',
    holds: 'What it left is ended before the next start',
    run: (scene) =>
      besides(scene, 'crash-leaves-grandchild', async ({ client, badPids }) => {
        assertFailed(await client.call('bad_go'), { reason: 'exited' });
        await assertGone(badPids().slice(0, 2), 6_000);
        await assertEchoes(client, 'bad_echo', 8_000);
      }),
  },
  {
    id: 'R-close-stdin',
    what: 'An upstream closes its standard input and lives on',
    holds: 'The broken pipe ends nothing but that connection: a definite answer within a second, then a new process',
    quick: true,
    run: (scene) =>
      besides(scene, 'close-stdin', async ({ client, badPids }) => {
        assert.equal(await client.callText('bad_go'), 'closed');
        const { value, ms } = await timed(client.call('bad_echo', { text: marked('unread') }));
        assertFailed(value, { reason: 'exited' });
        assertTook('the answer', ms, 1_000);
        await assertEchoes(client, 'bad_echo', 6_000);
        assert.equal(badPids().length, 2);
      }),
  },
  {
    id: 'A-crash-mid-prompt',
    what: 'An upstream exits while a prompt is asked for',
    holds: 'A JSON-RPC error with the same facts in `data.gateway`, because no model reads the result of a prompt',
    quick: true,
    run: (scene) =>
      besides(scene, 'crash-mid-prompt', async ({ client }) => {
        const answer = (await client.request('prompts/get', { name: 'bad_greet' })).value;
        assert.equal(answer.error.code, -32603);
        assert.equal(answer.error.data.gateway.reason, 'exited');
        assert.equal(answer.error.data.gateway.upstream, 'bad');
        await assertEchoes(client);
      }),
  },
  {
    id: 'R-calls-while-restarting',
    what: 'Twenty calls arrive while an upstream is between two processes',
    holds: 'They wait for the next process; each is done exactly once',
    quick: true,
    run: (scene) =>
      besides(scene, 'crash-mid-call', async ({ client, log }) => {
        assertFailed(await client.call('bad_go'), { reason: 'exited' });
        const texts = Array.from({ length: 20 }, (_, index) => marked(`waits ${index}`));
        const answers = await Promise.all(texts.map((text) => client.callText('bad_echo', { text })));
        assert.deepEqual(answers, texts);
        assert.equal(callsOf(log(), 'echo'), 20);
      }),
  },
  {
    id: 'R-restart-never',
    what: 'An upstream with `restart: never` dies',
    holds: 'It stays off; calls say so at once and name the command that starts it',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'crash-mid-call',
        async ({ client, badPids }) => {
          assertFailed(await client.call('bad_go'), { reason: 'exited' });
          const result = await client.call('bad_echo', { text: marked('later') });
          assertFailed(result, { reason: 'not_connected', effect: 'none' });
          assert.match(result.content[0].text, /viaduct sync bad/);
          assert.equal(badPids().length, 1);
        },
        { bad: { restart: 'never' } },
      ),
  },
  {
    id: 'R-on-demand',
    what: 'An upstream with `restart: on-demand` dies',
    holds: 'No process until the next call, which starts one and succeeds',
    run: (scene) =>
      besides(
        scene,
        'crash-mid-call',
        async ({ client, badPids }) => {
          assertFailed(await client.call('bad_go'), { reason: 'exited' });
          await delay(1_000);
          assert.equal(badPids().length, 1, 'no start by itself');
          await assertEchoes(client);
          assert.equal(badPids().length, 2);
        },
        { bad: { restart: 'on-demand' } },
      ),
  },
];

/** The gateway starts as if the bad upstream were not there, and status says what is wrong with it. */
function cannotStart(id: string, what: string, mode: string, bad: Entry, reason: RegExp): Fault {
  return {
    id,
    what,
    holds: 'The others are listed within a second; status says why, with error number or exit code and last words',
    exclusive: true,
    async run(scene) {
      const { client, config } = await stage(scene, mode, { bad, wait: [] });
      const { ms } = await timed(listed(client, ['good_echo']));
      assertTook('the first list', ms, 1_000);
      const { good } = await besideGood(client, async () => {
        const result = await inTime('a call is answered', 8_000, client.call('bad_echo'));
        assert.match(factsOf(result).reason, /^(not_connected|circuit_open)$/);
        assert.equal(factsOf(result).effect, 'none');
      });
      assertThat('good was called', good.calls > 0);
      const status = await statusOf(scene, config);
      assert.match(`${status.reason} ${status.lastError} ${status.stderr}`, reason);
    },
  };
}

/** The gateway starts as if the bad upstream were not there; a call to it gets an answer all the same. */
function startsLate(mode: string, what: string, call: (stage: Stage) => Promise<void>, bad: Entry = {}): Fault {
  return {
    id: `R-${mode}`,
    what,
    holds: 'The others are listed within a second and answer meanwhile; calls to it get a definite answer',
    exclusive: true,
    async run(scene) {
      const set = await stage(scene, mode, { bad, wait: [] });
      const { ms } = await timed(listed(set.client, ['good_echo']));
      assertTook('the first list', ms, 1_000);
      await besideGood(set.client, () => call(set));
    },
  };
}

const notConnected = async ({ client }: Stage) =>
  assertFailed(await client.call('bad_echo', {}), { reason: 'not_connected', effect: 'none' });

const STARTS: Fault[] = [
  cannotStart(
    'R-crash-at-start',
    'An upstream exits before it answers anything',
    'crash-at-start',
    {},
    /code 3.*database/s,
  ),
  cannotStart('R-missing-command', 'The command does not exist', 'ok', { command: 'no-such-command' }, /not found/),
  cannotStart('R-folder-as-command', 'The command is a folder', 'ok', { command: '/' }, /is a folder/),
  cannotStart(
    'R-not-executable',
    'The command is a file that may not be executed',
    'ok',
    { command: '/etc/passwd' },
    /execut|EACCES/i,
  ),
  cannotStart(
    'R-missing-folder',
    'The working folder does not exist',
    'ok',
    { cwd: '/no/such/folder' },
    /does not exist/,
  ),
  cannotStart('R-init-error', 'It answers initialize with an error', 'init-error', {}, /no licence/),
  cannotStart('R-no-version', 'It answers initialize without a version', 'no-version', {}, /version/i),
  cannotStart('R-bad-version', 'It answers initialize with an unknown version', 'bad-version', {}, /1999-01-01/),
  startsLate('hang-at-start', 'An upstream blocks before it reads anything', notConnected, {
    timeouts: { connectMs: 700 },
  }),
  startsLate('silent-start', 'An upstream never answers initialize', notConnected, { timeouts: { connectMs: 700 } }),
  startsLate('hang-list', 'An upstream never answers tools/list', ({ client }) => assertEchoes(client)),
  startsLate('slow-start', 'An upstream answers initialize after two seconds', async ({ client }) => {
    await assertEchoes(client, 'bad_echo', 5_000);
    await listed(client, ['bad_echo']);
  }),
  startsLate('slow-list', 'An upstream answers tools/list after 1.5 seconds', async ({ client }) => {
    await listed(client, ['bad_echo']);
    await assertEchoes(client);
  }),
  {
    id: 'R-start-timeout',
    what: 'An upstream hangs at each start',
    holds: 'Each process is ended when its time is over and replaced later; after five there are no more',
    async run(scene) {
      const { badPids, client } = await stage(scene, 'hang-at-start', {
        bad: { timeouts: { connectMs: 400 } },
        wait: ['good_echo'],
      });
      await besideGood(client, async () => {
        await until('five starts', () => badPids().length === 5, 25_000);
        await assertGone(badPids(), 6_000);
        await delay(3_000);
        assert.equal(badPids().length, 5);
      });
    },
  },
  {
    id: 'R-crash-loop',
    what: 'An upstream exits after each handshake',
    holds: 'Five starts with growing pauses, then none; its tools leave the list; under 20 log lines at `info`',
    async run(scene) {
      const set = await stage(scene, 'crash-after-init', { wait: ['good_echo'], config: { log: { level: 'info' } } });
      const { client, badPids, gateway } = set;
      await besideGood(client, async () => {
        await until(
          'the crash loop is over',
          async () => factsOf(await client.call('bad_echo'))?.reason === 'circuit_open',
          20_000,
        );
        await delay(8_000);
      });
      assert.equal(badPids().length, 5, 'starts');
      assert.deepEqual(
        (await client.toolNames()).filter((name) => name.startsWith('bad_')),
        [],
      );
      const about = gateway
        .stderr()
        .split('\n')
        .filter((line) => line.includes('"upstream":"bad"'));
      assertAtMost('log lines about it', about.length, 20);
    },
  },
];

const timesOut = (mode: string, what: string, more?: (stage: Stage) => Promise<void>): Fault => ({
  id: `R-${mode}`,
  what,
  holds: 'Answered `timeout` at the limit, the upstream is told that the call is cancelled, the next call works',
  exclusive: true,
  run: (scene) =>
    besides(
      scene,
      mode,
      async (set) => {
        const { client, log } = set;
        const { value, ms } = await timed(client.call('bad_go', { text: marked('waits') }, '"slow"'));
        assertFailed(value, { reason: 'timeout', effect: 'unknown' });
        assertBetween('ms to the answer', ms, 1_000, 1_300);
        const id = /call go (\d+)/.exec(log().join('\n'))![1];
        await until('the upstream was told', () =>
          log().some((line) => line.startsWith('notification notifications/cancelled') && line.includes(`:${id}`)),
        );
        await more?.(set);
        await assertEchoes(client);
        assert.equal(client.messages.filter((message) => message.value.id === 'slow').length, 1);
      },
      { bad: { timeouts: { callMs: 1_000 } } },
    ),
});

/** With the limits that users have: 60 s for the call, 5 s for the ping, then the restart. */
const recovers = (mode: string, what: string): Fault => ({
  id: `R-${mode}`,
  what,
  holds:
    'With the default limits: the call fails as `timeout` after 60 s; without an answer to a ping within 5 s the ' +
    'process is killed and started again, within 75 s in all; nothing is left',
  limitMs: 120_000,
  run: (scene) =>
    besides(scene, mode, async ({ client, badPids }) => {
      const { value, ms } = await timed(client.call('bad_go'));
      assertFailed(value, { reason: 'timeout' });
      assertBetween('ms to the answer', ms, 60_000, 62_000);
      await until('a new process', () => badPids().length === 2, 13_000);
      await assertEchoes(client);
      await assertGone(badPids().slice(0, 1), 1_000);
      assert.equal(badPids().length, 2);
    }),
});

const HANGS: Fault[] = [
  timesOut('hang-call', 'An upstream never answers a call'),
  timesOut('half-line-hang', 'An upstream writes half an answer and waits'),
  timesOut('late-answer', 'An upstream answers after the time is over', () => delay(1_000)),
  recovers('hang-all', 'An upstream blocks'),
  recovers('sigstop', 'An upstream is stopped with SIGSTOP'),
  {
    id: 'R-sigstop-idle',
    what: 'An upstream is stopped with SIGSTOP while no call is open',
    holds: 'It answered a ping before; within 65 s it is killed and started again, before a call to it',
    limitMs: 150_000,
    run: (scene) =>
      besides(scene, 'ok', async ({ badPids, log, client }) => {
        await until('it was pinged', () => log().includes('ping'), 40_000);
        process.kill(badPids()[0]!, 'SIGSTOP');
        await until('a new process', () => badPids().length === 2, 65_000);
        await assertEchoes(client);
        await assertGone(badPids().slice(0, 1), 1_000);
      }),
  },
  {
    id: 'R-blocks-50-s',
    what: 'A tool blocks its server for 50 s, with the default limits',
    holds: 'The server is not killed; the call is answered, and so is another one that waited meanwhile',
    limitMs: 120_000,
    run: (scene) =>
      besides(scene, 'block', async ({ badPids, client }) => {
        const blocking = client.callText('bad_go', { ms: 50_000 });
        const waiting = client.callText('bad_echo', { text: marked('meanwhile') });
        assert.equal(await blocking, 'unblocked');
        assert.equal(await waiting, marked('meanwhile'));
        assert.equal(badPids().length, 1);
      }),
  },
];

export const PROCESS_FAULTS: readonly Fault[] = [...DEATHS, ...STARTS, ...HANGS];
