import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawClient } from '../../../../test/support/clients/raw-client.ts';
import { besideGood } from '../../beside.ts';
import { assertAtMost, assertEchoes, inTime, marked } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { forgetPeak, peakMib, processorMs, residentMib } from '../../process-figures.ts';
import { until } from '../../scene.ts';
import { besides, stage } from '../../stage.ts';

const MIB = 1024 * 1024;
const AFTER = 'after the flood';
const CHANGED = 'notifications/tools/list_changed';

/**
 * Memory that every load takes is not growth: the youngest part of the heap alone may have 48 MiB, which it takes bit
 * by bit. Goes on until more of it takes no more.
 */
async function ordinaryLoad(client: RawClient, pid: number): Promise<void> {
  const text = marked('x'.repeat(1_000));
  for (let times = 0; times < 5; times++) {
    const before = residentMib(pid);
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 100 }, () => client.callText('good_echo', { text })));
    }
    if (residentMib(pid) - before < 1) return;
  }
}

const stderrFlood = (mode: string, what: string): Fault => ({
  id: `F-${mode}`,
  what,
  holds: 'The call is answered; at most 1 MiB of log; at most 20 MiB of memory more than ordinary load takes',
  exclusive: true,
  async run(scene) {
    const { client, gateway, pid } = await stage(scene, mode);
    await ordinaryLoad(client, pid);
    const before = residentMib(pid);
    const log = gateway.stderr().length;
    forgetPeak(pid);
    await besideGood(client, async () => {
      assert.equal(await inTime('the answer', 15_000, client.callText('bad_go')), AFTER);
    });
    await assertEchoes(client);
    assertAtMost('bytes of log', gateway.stderr().length - log, MIB);
    assertAtMost('MiB more at the peak', peakMib(pid) - before, 20);
  },
});

const messageFlood = (mode: string, what: string, times: string, more: (from: number) => unknown): Fault => ({
  id: `F-${mode}`,
  what,
  holds: `Answered within 10 s; calls of others take at most 50 ms (99 of 100)${times}`,
  exclusive: true,
  async run(scene) {
    const { client } = await stage(scene, mode);
    const from = client.messages.length;
    const { good } = await besideGood(client, async () => {
      const params = { name: 'bad_go', arguments: {}, _meta: { progressToken: 'flood' } };
      const answer = await inTime('the answer', 10_000, client.request('tools/call', params));
      assert.equal(answer.value.result.content[0].text, AFTER);
      await assertEchoes(client);
    });
    const progress = client.messages.slice(from).filter(({ value }) => value.method === 'notifications/progress');
    more(progress.length);
    const last = progress.at(-1)?.value.params.progress;
    if (last !== undefined) assert.equal(last, 100_000, 'the newest progress arrived');
    assertAtMost('p99 of good calls in ms', good.p99Ms, 50);
  },
});

const listReads = (log: readonly string[]) => log.filter((line) => line === 'list').length;

const LISTS: Fault[] = [
  {
    id: 'F-list-changed-storm',
    what: 'An upstream says 10,000 times that its list changed, which it has not',
    holds: 'The list is read at most ten times; clients hear nothing of it',
    run: (scene) =>
      besides(scene, 'list-changed-storm', async ({ client, log }) => {
        const reads = listReads(log());
        const notices = client.notifications(CHANGED).length;
        assert.equal(await inTime('the answer', 10_000, client.callText('bad_go')), AFTER);
        await delay(1_500);
        assertAtMost('reads', listReads(log()) - reads, 10);
        assert.equal(client.notifications(CHANGED).length, notices, 'notices');
        await assertEchoes(client);
      }),
  },
  {
    id: 'F-list-changed-always',
    what: 'An upstream says that its list changed whenever it was read, for 10 s',
    holds: 'At most 40 reads, under 5 % of a processor, no notice to clients',
    exclusive: true,
    async run(scene) {
      const { client, log, pid } = await stage(scene, 'list-changed-always');
      const reads = listReads(log());
      const notices = client.notifications(CHANGED).length;
      const before = processorMs(pid);
      await delay(10_000);
      assertAtMost('reads', listReads(log()) - reads, 40);
      assertAtMost('% of a processor', (processorMs(pid) - before) / 100, 5);
      assert.equal(client.notifications(CHANGED).length, notices);
      await assertEchoes(client);
    },
  },
  {
    id: 'F-list-really-changes',
    what: 'An upstream gets 50 new tools one by one as fast as it can',
    holds: 'Clients hear of it at most four times a second, and the last list has all of them',
    async run(scene) {
      const { client } = await stage(scene, 'ok');
      const started = performance.now();
      await besideGood(client, async () => {
        for (let index = 0; index < 50; index++) await client.call('bad_add-tool', { name: `new${index}` });
        await until('all are listed', async () => (await client.toolNames()).includes('bad_new49'));
        await delay(1_000);
      });
      const names = await client.toolNames();
      assert.equal(names.filter((name) => name.startsWith('bad_new')).length, 50);
      const seconds = (performance.now() - started) / 1000;
      assertAtMost('notices', client.notifications(CHANGED).length, 4 + 4 * seconds);
    },
  },
];

const SLOW: Fault = {
  id: 'F-slow-client',
  what: 'A client stops reading while an upstream sends it 300,000 log messages',
  holds:
    'At most 32 MiB of memory more than ordinary load takes; another client is served as before (at most 50 ms, 99 of 100)',
  exclusive: true,
  async run(scene) {
    const set = await stage(scene, 'log-flood', { shared: true });
    const slow = await scene.stdio(set.config);
    await ordinaryLoad(set.client, set.pid);
    const before = residentMib(set.pid);
    forgetPeak(set.pid);
    slow.child.stdout!.pause();
    slow.client.write(
      `{"jsonrpc":"2.0","id":"flood","method":"tools/call","params":{"name":"bad_go","arguments":{"text":"${marked('')}"}}}`,
    );
    const { good } = await besideGood(set.client, async () => {
      await until('the flood began', () => set.log().some((line) => line.startsWith('call go')));
      await delay(6_000);
      await assertEchoes(set.client, 'bad_echo', 10_000);
    });
    assertAtMost('MiB more at the peak', peakMib(set.pid) - before, 32);
    assertAtMost('p99 of good calls in ms', good.p99Ms, 50);
  },
};

export const FLOOD_FAULTS: readonly Fault[] = [
  stderrFlood('stderr-flood', '50 MB in lines on standard error during a call'),
  stderrFlood('stderr-noline', '50 MB on standard error without a newline during a call'),
  messageFlood('notif-flood', '100,000 notifications that mean nothing during a call', '', () => undefined),
  messageFlood(
    'progress-flood',
    '100,000 notifications of progress during a call',
    '; the newest progress comes before the answer, at most 20 a second',
    (count) => assertAtMost('progress notifications', count, 210),
  ),
  ...LISTS,
  SLOW,
];
