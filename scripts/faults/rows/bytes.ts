import assert from 'node:assert/strict';
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
import { Probe } from '../long/probe.ts';
import { forgetPeak, peakMib, residentMib } from '../process-figures.ts';
import { besides, stage } from '../stage.ts';

const LIMIT = { limits: { frameBytes: 16 * 1024 * 1024 } };

/** `go` comes back with exactly this text. */
const exact = (mode: string, what: string, text: string): Fault => ({
  id: `B-${mode}`,
  what,
  holds: 'The text arrives exactly, the next call works',
  run: (scene) =>
    besides(scene, mode, async ({ client }) => {
      assert.equal(await inTime('an answer', 5_000, client.callText('bad_go', { text })), text);
      await assertEchoes(client);
    }),
});

/** The answer cannot be read: the call fails at its limit, and the log and the status show the line. */
const unreadable = (mode: string, what: string): Fault => ({
  id: `B-${mode}`,
  what,
  holds: 'The call fails as `timeout` at its limit; the line is in the log and in the status; the next call works',
  async run(scene) {
    const set = await stage(scene, mode, { shared: true, bad: { timeouts: { callMs: 800 } } });
    const { client, gateway, config } = set;
    await besideGood(client, async () => {
      const result = await inTime('an answer', 2_000, client.call('bad_go', { text: marked('text') }));
      assertFailed(result, { reason: 'timeout', effect: 'unknown' });
      assert.match(gateway.stderr(), /"event":"noise"/);
      await assertEchoes(client);
    });
    const { faults } = await statusOf(scene, config);
    assert.equal(faults.noise, 1);
    assert.equal(faults.noiseSamples.length, 1);
  },
});

const TEXTS: Fault[] = [
  quick(exact('crlf', 'Lines end with CR LF', marked('a'))),
  exact('bom', 'A byte order mark before the first message', marked('a')),
  exact('bom-later', 'A byte order mark before a later message', marked('a')),
  quick(exact('pretty', 'An answer is pretty-printed over several lines', marked('a'))),
  {
    id: 'B-behind-broken',
    what: 'Messages behind lines that look like the beginning of a JSON text',
    holds: 'They arrive at once: the log message and the answer; the broken lines are counted',
    quick: true,
    async run(scene) {
      const set = await stage(scene, 'behind-broken', { shared: true });
      const { client } = set;
      await besideGood(client, async () => {
        const { value, ms } = await timed(inTime('an answer', 5_000, client.callText('bad_go', { text: marked('a') })));
        assert.equal(value, marked('a'));
        assertTook('the answer', ms, 500);
        await assertEchoes(client);
      });
      const logs = client.notifications('notifications/message').map((message) => message.value.params.data);
      assert.deepEqual(logs, ['behind']);
      assertThat('the broken lines are counted', (await statusOf(scene, set.config)).faults.noise >= 2);
    },
  },
  {
    id: 'B-cut-line',
    what: 'An answer ends in the middle of its line, and nothing follows',
    holds: 'The call fails as `invalid_answer` within 4 s, long before its limit; the next one works',
    run: (scene) =>
      besides(scene, 'cut-line', async ({ client }) => {
        const { value, ms } = await timed(inTime('an answer', 10_000, client.call('bad_go')));
        assertFailed(value, { reason: 'invalid_answer', effect: 'unknown' });
        assertTook('the answer', ms, 4_000);
        await assertEchoes(client);
      }),
  },
  quick(exact('byte-by-byte', 'An answer comes one byte at a time', marked('é→💥'))),
  exact('u2028', 'U+2028 and U+2029 stand raw in a text', 'a\u2028b\u2029c'),
  exact('cr-inside', 'A CR between the members of an answer', 'a'),
  exact('nul-escaped', 'An escaped NUL in a text', 'a\u0000b'),
  exact('lone-surrogate', 'Half a surrogate pair, escaped, in a text', 'a\ud800b'),
  quick(exact('invalid-utf8', 'Bytes in a text that are no UTF-8', 'a\ufffd\ufffdb')),
  {
    id: 'B-nul-raw',
    what: 'A raw NUL in a text, which is no JSON',
    holds: 'The call fails as `invalid_answer` at once, the next one works',
    quick: true,
    run: (scene) =>
      besides(scene, 'nul-raw', async ({ client }) => {
        const result = await inTime('an answer', 500, client.call('bad_go'));
        assertFailed(result, { reason: 'invalid_answer', effect: 'unknown' });
        await assertEchoes(client);
      }),
  },
  unreadable('prefix-log', 'Log text stands before an answer on the same line'),
  unreadable('two-on-a-line', 'Two messages stand on one line'),
];

const noise = (mode: string, what: string): Fault => ({
  id: `B-${mode}`,
  what,
  holds: 'Skipped and counted; three samples in status; every call is answered',
  async run(scene) {
    const { client, config } = await stage(scene, mode, { shared: true });
    await besideGood(client, async () => {
      for (let time = 0; time < 10; time++) await assertEchoes(client);
    });
    const { state, faults } = await statusOf(scene, config);
    assert.equal(state, 'ready');
    assert.equal(faults.noiseSamples.length, 3);
    assertThat(`noise is counted: ${faults.noise}`, faults.noise >= 30);
  },
});

const NOISE: Fault[] = [
  noise('stdout-logs', 'Text, blank lines, ANSI and other JSON on standard output'),
  noise('bad-json', 'Broken JSON between the answers'),
  {
    id: 'B-noise-flood',
    what: '100,000 lines on standard output that are no messages',
    holds: 'Every call is answered; at most a log line a second; calls of others take at most 50 ms (99 of 100)',
    exclusive: true,
    async run(scene) {
      const { client, gateway } = await stage(scene, 'noise-flood');
      const before = gateway.stderr().length;
      const { good } = await besideGood(client, async () => {
        assert.equal(await inTime('the answer', 10_000, client.callText('bad_go')), 'after the flood');
      });
      assertAtMost('bytes of log', gateway.stderr().length - before, 1024 * 1024);
      assertAtMost('p99 of good calls in ms', good.p99Ms, 50);
    },
  },
];

const large = (mode: string, what: string): Fault => ({
  id: `B-${mode}`,
  what,
  holds:
    '`too_large` within 10 s, at most 64 MiB of memory more, calls of others wait at most 100 ms, the process stays',
  exclusive: true,
  async run(scene) {
    const { client, pid, badPids } = await stage(scene, mode, { config: LIMIT });
    const before = residentMib(pid);
    forgetPeak(pid);
    const { good } = await besideGood(client, async () => {
      const { value, ms } = await timed(client.call('bad_go', { text: marked('large') }));
      assertFailed(value, { reason: 'too_large', effect: 'unknown' });
      assertTook('the answer', ms, 10_000);
    });
    assertAtMost('MiB more at the peak', peakMib(pid) - before, 64);
    assertAtMost('longest good call in ms', good.worstMs, 100);
    await assertEchoes(client, 'bad_echo', 5_000);
    assert.equal(badPids().length, 1, 'starts');
  },
});

const SIZES: Fault[] = [
  large('huge-line', 'An answer of 100 MiB, over the limit'),
  large('endless-line', '300 MiB before the newline, with an id at the start'),
  {
    id: 'B-endless-nameless',
    what: '300 MiB before the newline, in which no id can be found',
    holds:
      'The call fails as `timeout` at its limit, the status counts the message, at most 64 MiB of memory more, ' +
      'calls of others wait at most 100 ms, the process stays',
    exclusive: true,
    async run(scene) {
      const limits = { timeouts: { callMs: 10_000 } };
      const set = await stage(scene, 'endless-nameless', { config: LIMIT, shared: true, bad: limits });
      const { client, pid, config, badPids } = set;
      const before = residentMib(pid);
      forgetPeak(pid);
      const { good } = await besideGood(client, async () => {
        const result = await inTime('an answer', 12_000, client.call('bad_go', { text: marked('large') }));
        assertFailed(result, { reason: 'timeout', effect: 'unknown' });
      });
      assertAtMost('MiB more at the peak', peakMib(pid) - before, 64);
      assertAtMost('longest good call in ms', good.worstMs, 100);
      await assertEchoes(client, 'bad_echo', 10_000);
      assert.equal((await statusOf(scene, config)).faults.oversized, 1);
      assert.equal(badPids().length, 1, 'starts');
    },
  },
  {
    id: 'B-linear',
    what: 'Answers of 5, 12 and 50 MiB, below the limit',
    holds: 'They arrive byte for byte; ten times the bytes take at most twenty times as long',
    exclusive: true,
    async run(scene) {
      const { client } = await stage(scene, 'ok');
      const times: number[] = [];
      for (const mib of [5, 12, 50]) {
        const { value, ms } = await timed(client.request('tools/call', { name: 'bad_big', arguments: { mib } }, '"b"'));
        const text = 'x'.repeat(mib * 1024 * 1024);
        const whole = `{"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"${text}"}]}}`;
        assertThat(`${mib} MiB arrive byte for byte`, value.text === whole);
        times.push(ms);
      }
      assertAtMost('times as long', times[2]! / times[0]!, 20);
    },
  },
  {
    id: 'B-client-large',
    what: 'A client sends a request of 20 MiB, over the limit',
    holds: 'An error, at most 64 MiB of memory more, and the next call works',
    exclusive: true,
    async run(scene) {
      const { client, pid } = await stage(scene, 'ok', { config: { limits: { frameBytes: 4 * 1024 * 1024 } } });
      const before = residentMib(pid);
      forgetPeak(pid);
      await besideGood(client, async () => {
        const from = client.messages.length;
        const text = 'x'.repeat(20 * 1024 * 1024);
        client.write(
          `{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"bad_go","arguments":{"text":"${text}"}}}`,
        );
        const { value } = await inTime(
          'an error',
          5_000,
          client.waitFor(({ value: message }) => message.error !== undefined, from),
        );
        assert.match(value.error.message, /large|limit|bytes/i);
      });
      assertAtMost('MiB more at the peak', peakMib(pid) - before, 64);
      await assertEchoes(client);
    },
  },
  {
    id: 'B-deep-nesting',
    what: 'An answer nested 100,000 levels deep',
    holds: 'The call fails as `invalid_answer` at once, the next one works',
    quick: true,
    run: (scene) =>
      besides(scene, 'deep-nesting', async ({ client }) => {
        const result = await inTime('an answer', 1_000, client.call('bad_go'));
        assertFailed(result, { reason: 'invalid_answer', effect: 'unknown' });
        await assertEchoes(client);
      }),
  },
  {
    id: 'B-huge-int',
    what: 'Numbers that no double can hold: 2^53+1, 1e400, 4,000 digits',
    holds: 'They arrive as they were spelt',
    quick: true,
    run: (scene) =>
      besides(scene, 'huge-int', async ({ client }) => {
        const { text } = await client.request('tools/call', { name: 'bad_go' }, '"n"');
        const numbers = `[9007199254740993,1e400,-1E-400,${'7'.repeat(4000)}]`;
        assert.equal(text, `{"jsonrpc":"2.0","id":"n","result":{"content":[],"n":${numbers},"f":1.50}}`);
      }),
  },
];

const fuzz = (seed: number): Fault => ({
  id: `B-fuzz-${seed}`,
  what: `An upstream sends 1,000 mutated messages (seed ${seed}) before an answer`,
  holds: 'No crash, no hang; the answer arrives; the next call and a new client work',
  quick: seed === 1,
  async run(scene) {
    const set = await stage(scene, 'fuzz', { args: [`--seed=${seed}`, '--n=1000'], shared: seed === 1 });
    await besideGood(set.client, async () => {
      assert.equal(await inTime('the answer', 10_000, set.client.callText('bad_go')), 'survived');
      await assertEchoes(set.client);
    });
    assert.equal(set.badPids().length, 1);
    if (seed !== 1) return;
    const { client: fresh } = await scene.stdio(set.config);
    await assertEchoes(fresh);
  },
});

const PROTO: Fault = {
  id: 'B-proto-names',
  what: 'Tools called `__proto__`, `constructor` and `toString`, and schemas with such properties',
  holds: 'They are tools like others; nothing of the gateway changes; a new client still works',
  async run(scene) {
    const probe = new Probe(scene.folder);
    const others = { bombs: scene.hostile('schema-bomb') };
    const set = await stage(scene, 'evil-names', { shared: true, others, env: probe.env });
    const names = await listed(set.client, ['bombs_bomb_proto']);
    await besideGood(set.client, async () => {
      for (const word of ['__proto__', 'constructor', 'toString']) {
        const name = names.find((each) => each.startsWith('bad_') && each.includes(word));
        assert.notEqual(name, undefined, `${word} is listed`);
        assert.equal(await set.client.callText(name!), `hex ${Buffer.from(word).toString('hex')}`);
      }
      const args = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
      const params = `{"name":"bombs_bomb_proto","arguments":${args}}`;
      const { value } = await set.client.request('tools/call', params);
      assert.notEqual(value.result, undefined);
    });
    assert.equal((await probe.sample(set.gateway.child)).isPolluted, false, 'prototypes of the gateway are polluted');
    const { client: fresh } = await scene.stdio(set.config);
    await assertEchoes(fresh);
  },
};

export const BYTE_FAULTS: readonly Fault[] = [...TEXTS, ...NOISE, ...SIZES, ...[1, 2, 3, 4, 5].map(fuzz), PROTO];
