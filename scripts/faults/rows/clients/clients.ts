import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../../../../fixtures/hostile/fuzz.ts';
import type { RawClient } from '../../../../test/support/clients/raw-client.ts';
import { besideGood } from '../../beside.ts';
import { answersWith, assertAtMost, assertEchoes, assertThat, inTime, marked } from '../../expect.ts';
import { type Fault, quick } from '../../fault.ts';
import { residentMib } from '../../process-figures.ts';
import { until } from '../../scene.ts';
import { besides, stage } from '../../stage.ts';

const textOf = (message: { value: { result: { content: { text: string }[] } } }) =>
  message.value.result.content[0]!.text;

/** Returns the answer to one line that is not a request, found by the answer that follows it. */
async function answerToLine(client: RawClient, line: string | Buffer) {
  const from = client.messages.length;
  client.write(line);
  await client.request('ping');
  return client.messages.slice(from).find(({ value }) => value.error !== undefined)?.value;
}

const IDS = ['"a1"', '0', '-1', '9007199254740991', '-9007199254740991', '""', '"\\u0041"', '"1"', '1'];

const ID_FAULTS: Fault[] = [
  {
    id: 'A-equal-ids',
    what: 'Two clients use equal ids for 1,000 calls at the same time',
    holds: 'No answer reaches the other client',
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const { client: other } = await scene.stdio(set.config);
      const run = async (client: RawClient, who: string) => {
        for (let from = 0; from < 1_000; from += 50) {
          const ids = Array.from({ length: 50 }, (_, index) => from + index + 10_000);
          const texts = await Promise.all(
            ids.map(async (id) => {
              const params = { name: 'bad_echo', arguments: { text: marked(`${who} ${id}`) } };
              return textOf(await client.request('tools/call', params, String(id)));
            }),
          );
          assert.deepEqual(
            texts,
            ids.map((id) => marked(`${who} ${id}`)),
          );
        }
      };
      await Promise.all([run(set.client, 'first'), run(other, 'second')]);
      assertThat('nothing of the second', !set.client.messages.some(({ text }) => text.includes('"second ')));
      assertThat('nothing of the first', !other.messages.some(({ text }) => text.includes('"first ')));
    },
  },
  {
    id: 'A-id-spellings',
    what: 'Ids of all kinds: strings, negative, very large, empty, escaped',
    holds: 'Each answer carries the id as the client spelt it; the upstream sees numbers of ours only',
    quick: true,
    run: (scene) =>
      besides(scene, 'int-ids-only', async ({ client, log }) => {
        for (const id of IDS) {
          const params = { name: 'bad_echo', arguments: { text: marked(id) } };
          const { text } = await inTime(`the answer to ${id}`, 2_000, client.request('tools/call', params, id));
          assert.equal(text.slice(0, 23 + id.length), `{"jsonrpc":"2.0","id":${id},`);
        }
        const seen = log().filter((line) => line.startsWith('call echo '));
        assertThat('our ids only', seen.length >= IDS.length && seen.every((line) => /^call echo \d+$/.test(line)));
      }),
  },
  {
    id: 'A-id-invalid',
    what: 'Ids that are none: null, a fraction, an object, a list, true',
    holds: 'Refused with -32600; nothing is sent to the upstream',
    run: (scene) =>
      besides(scene, 'ok', async ({ client, log }) => {
        for (const id of ['null', '1.5', '{}', '[1]', 'true']) {
          const answer = await answerToLine(
            client,
            `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"bad_echo","arguments":{}}}`,
          );
          assert.equal(answer?.error.code, -32600, id);
        }
        assert.equal(log().filter((line) => line.startsWith('call')).length, 0);
      }),
  },
  {
    id: 'A-id-reuse',
    what: 'A client uses an id again while its first request is open',
    holds: 'The second is refused with -32600; the first goes on and gets its own answer',
    quick: true,
    run: (scene) =>
      besides(scene, 'ok', async ({ client, log }) => {
        const slow = '"name":"bad_slow","arguments":{"steps":1,"everyMs":500}';
        client.write(`{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{${slow}}}`);
        await until('it arrived', () => log().some((line) => line.startsWith('call slow')));
        const second = await client.request('tools/call', { name: 'bad_echo', arguments: { text: 'no' } }, '"same"');
        assert.equal(second.value.error.code, -32600);
        await until('the first is answered', () => answersWith(client, 'same').length === 2);
        assert.equal(textOf(answersWith(client, 'same')[1]!), 'done');
      }),
  },
  {
    id: 'A-equal-tokens',
    what: 'Two clients use the same progress token at the same time',
    holds: 'Each gets the progress of its own call, with its own token',
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const { client: other } = await scene.stdio(set.config);
      const run = (client: RawClient, steps: number) =>
        client.request('tools/call', {
          name: 'bad_slow',
          arguments: { steps, everyMs: 60 },
          _meta: { progressToken: 1 },
        });
      await Promise.all([run(set.client, 5), run(other, 3)]);
      const totals = (client: RawClient) =>
        client
          .notifications('notifications/progress')
          .map(({ value }) => [value.params.progressToken, value.params.total]);
      assert.deepEqual(
        totals(set.client),
        Array.from({ length: 5 }, () => [1, 5]),
      );
      assert.deepEqual(
        totals(other),
        Array.from({ length: 3 }, () => [1, 3]),
      );
    },
  },
  {
    id: 'A-foreign-cancel',
    what: 'A client cancels an id that another client uses',
    holds: "The other client's call goes on",
    quick: true,
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const { client: other } = await scene.stdio(set.config);
      const call = set.client.request(
        'tools/call',
        { name: 'bad_slow', arguments: { steps: 1, everyMs: 600 } },
        '"theirs"',
      );
      await until('it arrived', () => set.log().some((line) => line.startsWith('call slow')));
      other.notify('notifications/cancelled', { requestId: 'theirs' });
      await assertEchoes(other);
      assert.equal(textOf(await inTime('the answer', 3_000, call)), 'done');
      assertThat('not cancelled', !set.log().some((line) => line.includes('notifications/cancelled')));
    },
  },
  {
    id: 'A-cancel-flood',
    what: 'A client cancels 5,000 ids that are not in use',
    holds: 'They are ignored; calls of others take at most 50 ms (99 of 100)',
    exclusive: true,
    async run(scene) {
      const { client, log } = await stage(scene, 'ok');
      const { good } = await besideGood(client, async () => {
        for (let id = 0; id < 5_000; id++) {
          client.notify('notifications/cancelled', { requestId: id % 2 === 0 ? `none-${id}` : -id });
          if (id % 50 === 0) await delay(20);
        }
        await assertEchoes(client);
      });
      assertAtMost('p99 of good calls in ms', good.p99Ms, 50);
      assertThat('nothing cancelled', !log().some((line) => line.includes('notifications/cancelled')));
    },
  },
  {
    id: 'A-call-flood',
    what: 'A client sends 5,000 calls at once to an upstream that answers none',
    holds: 'Beyond what may wait, `overloaded` at once; each call is answered in the end',
    run: (scene) =>
      besides(
        scene,
        'hang-call',
        async ({ client }) => {
          const calls = Array.from({ length: 5_000 }, (_, index) =>
            client.call('bad_go', { text: marked(`${index}`) }),
          );
          const results = await inTime('all answers', 45_000, Promise.all(calls));
          const reasons = new Set<unknown>(results.map((result) => result._meta?.['viaduct/gateway']?.reason));
          assert.deepEqual(reasons, new Set(['overloaded', 'timeout']));
        },
        {
          bad: { timeouts: { callMs: 500 }, maxConcurrency: 256 },
          config: { limits: { calls: 10_000, callsPerClient: 10_000 } },
        },
      ),
  },
];

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** One line of a client, and the code of the error that it must bring. */
const line = (id: string, what: string, text: string | Buffer, code: number): Fault => ({
  id: `B-client-${id}`,
  what: `A client sends ${what}`,
  holds: `Error ${code}; the connection stays and the next call works`,
  run: (scene) =>
    besides(scene, 'ok', async ({ client, log }) => {
      const answer = await answerToLine(client, text);
      assert.equal(answer?.error.code, code);
      await assertEchoes(client);
      assert.equal(log().filter((entry) => entry.startsWith('call go')).length, 0);
    }),
});

const LINE_FAULTS: Fault[] = [
  line('bad-json', 'broken JSON', '{"jsonrpc":"2.0","id":1,"method":', -32700),
  quick(line('binary', 'bytes that are no text', Buffer.from([0x80, 0xff, 0x00, 0x7b, 0xc3, 0x28]), -32700)),
  line('batch', 'a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bad_go"}}]', -32600),
  line(
    'dup-keys',
    'a request in which "method" occurs twice',
    '{"jsonrpc":"2.0","id":"d","method":"ping","method":"tools/call","params":{"name":"bad_go"}}',
    -32600,
  ),
  quick(
    line(
      'dup-name',
      'a call in which "name" occurs twice',
      '{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"bad_echo","name":"bad_go","arguments":{}}}',
      -32600,
    ),
  ),
  line(
    'deep',
    'arguments nested 100,000 levels deep',
    `{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"bad_go","arguments":{"a":${deep(100_000)}}}}`,
    -32700,
  ),
  quick(
    line(
      'proto-tool',
      'a call of the tool `__proto__`',
      '{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"a":1}}}}',
      -32602,
    ),
  ),
  line('unknown-method', 'a method that does not exist', '{"jsonrpc":"2.0","id":"u","method":"toString"}', -32601),
];

const FUZZ_SEEDS = [1, 2, 3, 4, 5];
const FUZZ_TEMPLATES = [
  '{"jsonrpc":"2.0","id":"fuzz","method":"tools/call","params":{"name":"bad_echo","arguments":{"text":"t"}}}',
  '{"jsonrpc":"2.0","id":"fuzz","method":"tools/list","params":{"cursor":"x"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"fuzz"}}',
  '{"jsonrpc":"2.0","id":"fuzz","method":"resources/read","params":{"uri":"a://b"}}',
  '{"jsonrpc":"2.0","id":"fuzz","result":{"a":[]}}',
  '{"jsonrpc":"2.0","id":"fuzz","method":"logging/setLevel","params":{"level":"debug"}}',
];

function* fuzzed(seed: number, count: number): Generator<Buffer> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let made = 0; made < count; made++) {
    const bytes = Buffer.from(
      FUZZ_TEMPLATES[below(FUZZ_TEMPLATES.length)]!.replace('"fuzz"', `"fuzz-${seed}-${made}"`),
    );
    for (let change = below(5); change > 0; change--) bytes[below(bytes.length)] = below(256);
    yield Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13));
  }
}

const FUZZ: Fault[] = [
  {
    id: 'B-client-fuzz',
    what: 'A client sends 10,000 mutated messages (five fixed seeds)',
    holds: 'No crash, no hang, memory as before (at most 64 MiB more); a new client works',
    exclusive: true,
    async run(scene) {
      const set = await stage(scene, 'ok', { shared: true });
      const { client: healthy } = await scene.stdio(set.config);
      const before = residentMib(set.pid);
      await besideGood(healthy, async () => {
        for (const seed of FUZZ_SEEDS) {
          let sent = 0;
          for (const bytes of fuzzed(seed, 2_000)) {
            set.client.write(bytes);
            if (++sent % 100 === 0) await delay(1);
          }
          await inTime('the fuzzed connection answers', 10_000, set.client.request('ping', {}, `"ping-${seed}"`));
        }
      });
      assertThat(
        'no internal error',
        set.client.messages.every(({ value }) => value.error?.code !== -32603),
      );
      assertAtMost('MiB more', residentMib(set.pid) - before, 64);
      const { client: fresh } = await scene.stdio(set.config);
      await assertEchoes(fresh);
    },
  },
];

export const CLIENT_FAULTS: readonly Fault[] = [...ID_FAULTS, ...LINE_FAULTS, ...FUZZ];
