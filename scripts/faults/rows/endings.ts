import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../../test/support/processes.ts';
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
} from '../expect.ts';
import type { Fault } from '../fault.ts';
import { forgetPeak, peakMib, residentMib } from '../process-figures.ts';
import { type Scene, type StdioGateway, until } from '../scene.ts';
import { besides, stage } from '../stage.ts';

const STUBBORN_MODES = ['ok', 'ignore-term', 'grandchild', 'wrapper-npx', 'hang-all', 'sigstop', 'no-read'] as const;

interface Crowd {
  readonly gateway: StdioGateway;
  readonly pids: readonly number[];
}

/** One upstream of each mode that is hard to end, each in the state that makes it so. */
async function crowd(scene: Scene, modes: readonly string[] = STUBBORN_MODES): Promise<Crowd> {
  const entries = Object.fromEntries(modes.map((mode) => [mode, scene.hostile(mode)]));
  const gateway = await scene.stdio(entries);
  await listed(
    gateway.client,
    modes.map((mode) => `${mode}_echo`),
    15_000,
  );
  const noted = () => scene.pidsIn(...modes.map((mode) => scene.logFile(mode)));
  for (const mode of ['hang-all', 'sigstop', 'no-read']) {
    if (modes.includes(mode)) void gateway.client.call(`${mode}_go`, { text: marked(mode) }).catch(() => undefined);
  }
  await delay(300);
  const pids = noted();
  assertThat('all processes run', pids.length > modes.length - 1 && pids.every(isAlive));
  return { gateway, pids };
}

/** The whole crowd ends with the gateway. */
function ends(how: string, end: (gateway: StdioGateway) => void): Fault {
  return {
    id: `R-end-${how}`,
    what: `The gateway is ended (${how}) with seven upstreams that do not want to end`,
    holds: 'It exits with code 0 within 5 s, and no process of any upstream is left',
    exclusive: true,
    async run(scene) {
      const { gateway, pids } = await crowd(scene);
      const exit = once(gateway.child, 'exit');
      const started = performance.now();
      end(gateway);
      const [code] = await inTime('the gateway exits', 8_000, exit);
      assertTook('the exit', performance.now() - started, 5_000);
      assert.equal(code, 0);
      await assertGone(pids, 1_000);
    },
  };
}

const GATEWAY_ENDS: Fault[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => ends(signal, ({ child }) => child.kill(signal))),
  ends('EOF', ({ client }) => client.end()),
  {
    id: 'R-end-SIGKILL',
    what: 'The gateway is killed with seven upstreams that do not want to end',
    holds: 'The reaper ends them all within 3 s',
    async run(scene) {
      const { gateway, pids } = await crowd(scene);
      gateway.child.kill('SIGKILL');
      await assertGone(pids, 3_000);
    },
  },
  {
    id: 'R-end-at-once',
    what: 'A second SIGTERM while the gateway is ending its upstreams',
    holds: 'It exits at once; the reaper ends the upstreams within 3 s',
    quick: true,
    async run(scene) {
      const { gateway, pids } = await crowd(scene, ['ok', 'grandchild']);
      const exit = once(gateway.child, 'exit');
      gateway.child.kill('SIGTERM');
      await delay(200);
      gateway.child.kill('SIGTERM');
      await inTime('the gateway exits', 500, exit);
      await assertGone(pids, 3_000);
    },
  },
  {
    id: 'R-end-while-starting',
    what: 'SIGTERM while upstreams are still starting',
    holds: 'They are ended too',
    quick: true,
    async run(scene) {
      const gateway = await scene.stdio({ a: scene.hostile('silent-start'), b: scene.hostile('hang-at-start') });
      const noted = () => scene.pidsIn(scene.logFile('silent-start'), scene.logFile('hang-at-start'));
      await until('both run', () => noted().length === 2);
      const pids = noted();
      gateway.child.kill('SIGTERM');
      await assertGone(pids, 6_000);
    },
  },
  ...(['SIGTERM', 'SIGKILL'] as const).map(
    (signal): Fault => ({
      id: `R-setsid-${signal}`,
      what: `A process of an upstream is in a session of its own when the gateway gets ${signal}`,
      holds: 'It is found by its environment and ended within 5 s',
      platforms: ['linux'],
      async run(scene) {
        const { gateway, pids } = await crowd(scene, ['grandchild-setsid']);
        assert.equal(pids.length, 2);
        gateway.child.kill(signal);
        await assertGone(pids, 5_000);
      },
    }),
  ),
  {
    id: 'R-setsid-restart',
    what: 'An upstream dies and leaves a process in a session of its own',
    holds: 'It is found by its environment and ended',
    platforms: ['linux'],
    run: (scene) =>
      besides(scene, 'grandchild-setsid', async ({ client, badPids }) => {
        const [leader] = badPids();
        process.kill(leader!, 'SIGKILL');
        await assertGone(badPids().slice(0, 2), 6_000);
        await assertEchoes(client, 'bad_echo', 6_000);
      }),
  },
];

const GIVEN: Fault[] = [
  {
    id: 'X-descriptors',
    what: 'An upstream looks for files and sockets that it inherited',
    holds: 'Nothing but its own standard input, output and error',
    quick: true,
    platforms: ['linux'],
    async run(scene) {
      const { client, badPids } = await stage(scene, 'ok', { shared: true, wait: ['bad_fds', 'good_fds'] });
      const of = async (tool: string): Promise<Record<string, string>> => JSON.parse(await client.callText(tool));
      const [bad, good] = [await of('bad_fds'), await of('good_fds')];
      const outside = Object.values(bad).filter((target) => /viaduct|\.sock|\.yaml/.test(target));
      assert.deepEqual(outside, []);
      const pipes = (fds: Record<string, string>) => [0, 1, 2].map((fd) => fds[fd]!);
      assert.equal(new Set([...pipes(bad), ...pipes(good)]).size, 6, 'each has pipes of its own');
      const theirs = new Set(pipes(good));
      assertThat("no pipe of another upstream's", !Object.values(bad).some((target) => theirs.has(target)));
      // A runtime opens descriptors of its own; what is inherited would be the same number in both.
      const sockets = Object.entries(bad).filter(([fd, target]) => Number(fd) > 2 && target.startsWith('socket:'));
      assert.deepEqual(sockets, []);
      assert.equal(badPids().length, 1);
    },
  },
  {
    id: 'X-environment',
    what: 'The gateway has secrets of its own in its environment',
    holds: 'An upstream gets the allow-list and what its entry says, nothing else',
    quick: true,
    async run(scene) {
      const env = { GATEWAY_SECRET: 'not-for-upstreams', NODE_OPTIONS: '--no-warnings', LD_BIND_NOW: '1' };
      const { client } = await stage(scene, 'ok', {
        env,
        bad: { env: { FAULT_TOKEN: 'own', MINE: '1' } },
        wait: ['bad_env'],
      });
      const seen = JSON.parse(await client.callText('bad_env'));
      assert.equal(seen.MINE, '1');
      assert.equal(seen.PATH, process.env.PATH);
      for (const name of Object.keys(env)) assert.equal(seen[name], undefined, name);
      assert.equal(seen.VIADUCT_HOME, undefined);
    },
  },
];

const DEAF: Fault[] = [
  {
    id: 'R-no-read',
    what: 'An upstream stops reading, and 50,000 calls are sent to it',
    holds: 'Each call is answered; memory grows by at most 192 MiB over the idle gateway',
    exclusive: true,
    limitMs: 90_000,
    run: (scene) =>
      besides(
        scene,
        'no-read',
        async ({ client, pid }) => {
          await client.call('bad_go');
          const text = marked('x'.repeat(200));
          const line = (id: number) =>
            `{"jsonrpc":"2.0","id":"deaf-${id}","method":"tools/call","params":{"name":"bad_echo","arguments":{"text":"${text}"}}}`;
          const idle = residentMib(pid);
          forgetPeak(pid);
          for (let id = 0; id < 50_000; id++) {
            client.write(line(id));
            if (id % 500 === 0) await delay(5);
          }
          const answered = () => client.messages.filter(({ value }) => String(value.id).startsWith('deaf-'));
          const deadline = performance.now() + 60_000;
          while (answered().length < 50_000 && performance.now() < deadline) await delay(200);
          assert.equal(answered().length, 50_000, 'answers');
          // Some are answered after all, by the process that replaces the deaf one.
          const ends = new Set<string>(answered().map(({ value }) => factsOf(value.result)?.reason ?? 'answered'));
          assertThat(`some are overloaded: ${[...ends].join()}`, ends.has('overloaded'));
          const known = ['overloaded', 'timeout', 'exited', 'not_connected', 'answered'];
          assert.deepEqual(
            [...ends].filter((end) => !known.includes(end)),
            [],
          );
          assertAtMost('MiB more at the peak than idle', peakMib(pid) - idle, 192);
        },
        {
          bad: { timeouts: { callMs: 3_000 }, maxConcurrency: 1024 },
          config: { limits: { calls: 100_000, callsPerClient: 100_000 } },
        },
      ),
  },
  {
    id: 'R-no-read-large',
    what: 'An upstream stops reading, and calls of 256 KiB are sent to it',
    holds: 'Over 8 MiB the answer is `overloaded` at once; the others are answered when it is killed',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'no-read',
        async ({ client, badPids }) => {
          await client.call('bad_go');
          const text = 'x'.repeat(256 * 1024);
          const calls = Array.from({ length: 60 }, () => client.call('bad_echo', { text }));
          assertFailed(await inTime('one is refused', 5_000, calls.at(-1)!), { reason: 'overloaded', effect: 'none' });
          process.kill(badPids()[0]!, 'SIGKILL');
          const results = await inTime('all are answered', 5_000, Promise.all(calls));
          const reasons: string[] = results.map((result) => factsOf(result).reason);
          assertThat(
            `exited and overloaded: ${reasons.join()}`,
            reasons.includes('exited') && reasons.includes('overloaded'),
          );
          await assertEchoes(client);
        },
        { bad: { maxConcurrency: 1024 } },
      ),
  },
];

export const ENDING_FAULTS: readonly Fault[] = [...GATEWAY_ENDS, ...GIVEN, ...DEAF];
