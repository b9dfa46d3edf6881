import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { besideGood } from '../beside.ts';
import {
  answersWith,
  assertAtMost,
  assertBetween,
  assertEchoes,
  assertFailed,
  assertThat,
  assertTook,
  inTime,
  marked,
  statusOf,
  timed,
} from '../expect.ts';
import { type Fault, quick } from '../fault.ts';
import { until } from '../scene.ts';
import { besides, type Stage, stage } from '../stage.ts';

const CALL_MS = 1_000;
const SHORT = { bad: { timeouts: { callMs: CALL_MS } } };

/** The required outcome of one call of `go`: at once, except for a `timeout`. */
type Verdict = 'real' | 'invalid_answer' | 'timeout';

async function judged(verdict: Verdict, { client }: Stage): Promise<void> {
  const { value: result, ms } = await timed(
    inTime('an answer', CALL_MS + 1_000, client.call('bad_go', {}, '"judged"')),
  );
  if (verdict === 'timeout') assertBetween('ms to the answer', ms, CALL_MS, CALL_MS + 1_000);
  else assertTook('the answer', ms, 500);
  if (verdict === 'real') assert.equal(result.content?.[0]?.text, 'real');
  else assertFailed(result, { reason: verdict, effect: 'unknown' });
  await assertEchoes(client);
  assert.equal(answersWith(client, 'judged').length, 1);
}

const answer = (mode: string, what: string, verdict: Verdict, holds: string): Fault => ({
  id: `A-${mode}`,
  what,
  holds,
  run: (scene) => besides(scene, mode, (set) => judged(verdict, set), SHORT),
});

const AT_ONCE = 'The call fails as `invalid_answer` within half a second; the upstream stays; the next call works';
const TAKEN = 'The answer arrives';

const SHAPES: Fault[] = [
  quick(answer('unknown-id', 'Answers to ids that were not used', 'real', 'They are dropped; the real answer arrives')),
  answer('result-null', 'The result is null', 'invalid_answer', AT_ONCE),
  answer('neither', 'An answer with neither result nor error', 'invalid_answer', AT_ONCE),
  quick(answer('result-and-error', 'An answer with both a result and an error', 'invalid_answer', AT_ONCE)),
  answer('id-as-string', 'The id comes back as a string', 'real', TAKEN),
  answer('id-as-float', 'The id comes back as 11.0', 'real', TAKEN),
  answer('no-jsonrpc', '"jsonrpc" is missing', 'real', TAKEN),
  quick(answer('proto-keys', '`__proto__` and `constructor` as members of an answer', 'real', TAKEN)),
  answer('batch', 'The answer comes in a batch', 'real', TAKEN),
  answer('result-shape', 'The result is a string', 'invalid_answer', AT_ONCE),
  quick(
    answer(
      'case-keys',
      '`Result`, `ID` and `Error` beside `result` and `id`',
      'real',
      'Exact names count, others are nothing',
    ),
  ),
  answer('null-id-error', 'An error whose id is null, while one call is open', 'invalid_answer', AT_ONCE),
  {
    id: 'A-null-id-error-of-two',
    what: 'An error whose id is null, while two calls are open',
    holds: 'It fails neither of them at once; the log and the status show it; both fail as `timeout` at their limit',
    async run(scene) {
      const set = await stage(scene, 'null-id-error', { ...SHORT, shared: true });
      await besideGood(set.client, async () => {
        const hanging = set.client.call('bad_hang');
        await until('the hanging call arrived', () => set.log().some((line) => line.startsWith('call hang')));
        assertFailed(await set.client.call('bad_go'), { reason: 'timeout', effect: 'unknown' });
        assertFailed(await hanging, { reason: 'timeout', effect: 'unknown' });
        await assertEchoes(set.client);
      });
      assert.match(set.gateway.stderr(), /an error whose id is null/);
      assert.deepEqual((await statusOf(scene, set.config)).faults.noiseSamples, ['error -32700, id null']);
    },
  },
  answer(
    'no-id',
    'An answer without an id',
    'timeout',
    'It may be the answer to any call, so it is none: the call fails as `timeout` at its limit, the next call works',
  ),
  {
    id: 'A-error-shape',
    what: 'The error of an answer is a string',
    holds: 'An error that clients can read, within half a second',
    run: (scene) =>
      besides(scene, 'error-shape', async ({ client }) => {
        const { value, ms } = await timed(client.request('tools/call', { name: 'bad_go' }));
        assertTook('the answer', ms, 500);
        assert.equal(value.value.error.message, 'boom');
        assert.equal(typeof value.value.error.code, 'number');
      }),
  },
  {
    id: 'A-dup-keys',
    what: 'A member of the result occurs twice',
    holds: 'The result passes byte for byte: readers of it see the same as without a gateway',
    run: (scene) =>
      besides(scene, 'dup-keys', async ({ client }) => {
        const { text } = await client.request('tools/call', { name: 'bad_go' }, '"d"');
        const block = (word: string) => `"content":[{"type":"text","text":"${word}"}]`;
        assert.equal(text, `{"jsonrpc":"2.0","id":"d","result":{${block('POISON')},${block('real')}}}`);
      }),
  },
  ...['verbatim-error', 'verbatim-is-error'].map(
    (mode): Fault => ({
      id: `A-${mode}`,
      what: mode === 'verbatim-error' ? "An upstream's own JSON-RPC error" : "An upstream's own result with `isError`",
      holds: 'It arrives byte for byte',
      quick: true,
      run: (scene) =>
        besides(scene, mode, async ({ client }) => {
          const { text } = await client.request('tools/call', { name: 'bad_go' }, '"v"');
          const body =
            mode === 'verbatim-error'
              ? '"error":{ "code":12345, "message":"\\u00e9t\\u00e9", "data":{"n":1.50} }'
              : '"result":{ "isError":true, "content":[ {"type":"text","text":"\\u00e9"} ]}';
          assert.equal(text, `{"jsonrpc":"2.0","id":"v",${body}}`);
        }),
    }),
  ),
];

const STRAY: Fault[] = [
  {
    id: 'A-answer-twice',
    what: 'A call is answered twice',
    holds: 'The first answer counts, the second is dropped and reaches no later call',
    quick: true,
    run: (scene) =>
      besides(scene, 'answer-twice', async ({ client }) => {
        for (let time = 0; time < 20; time++) {
          assert.equal(await client.callText('bad_go', {}), 'first');
          await assertEchoes(client);
        }
        assertThat('no second answer', !client.messages.some(({ text }) => text.includes('second')));
      }),
  },
  {
    id: 'A-steal-ids',
    what: 'An upstream answers thousands of ids that are not its own',
    holds: 'No call of another upstream gets such an answer, in 1,000 calls',
    async run(scene) {
      const { client } = await stage(scene, 'steal-ids');
      let stealing = true;
      const thief = (async () => {
        while (stealing) assert.equal(await client.callText('bad_go', {}), 'real');
      })();
      const texts = Array.from({ length: 1_000 }, (_, index) => marked(`mine ${index}`));
      for (let from = 0; from < texts.length; from += 20) {
        const some = texts.slice(from, from + 20);
        assert.deepEqual(await Promise.all(some.map((text) => client.callText('good_echo', { text }))), some);
      }
      stealing = false;
      await thief;
      assertThat('no stolen answer', !client.messages.some(({ text }) => text.includes('POISON')));
    },
  },
  {
    id: 'A-answer-after-cancel',
    what: 'A call is answered after it was cancelled',
    holds: 'Nothing is sent for that id, and nothing reaches the next call',
    quick: true,
    run: (scene) =>
      besides(scene, 'answer-after-cancel', async ({ client, log }) => {
        client.write('{"jsonrpc":"2.0","id":"gone","method":"tools/call","params":{"name":"bad_go","arguments":{}}}');
        await until('it arrived', () => log().some((line) => line.startsWith('call go')));
        client.notify('notifications/cancelled', { requestId: 'gone' });
        await until('it was cancelled', () => log().some((line) => line.includes('notifications/cancelled')));
        await assertEchoes(client);
        await delay(200);
        assert.equal(answersWith(client, 'gone').length, 0);
      }),
  },
  {
    id: 'A-out-of-order',
    what: 'Twenty calls are answered together, the last one first',
    holds: 'Each caller gets its own answer',
    quick: true,
    run: (scene) =>
      besides(scene, 'out-of-order', async ({ client }) => {
        for (let round = 0; round < 5; round++) {
          const texts = Array.from({ length: 20 }, (_, index) => marked(`${round}.${index}`));
          assert.deepEqual(await Promise.all(texts.map((text) => client.callText('bad_go', { text }))), texts);
        }
      }),
  },
];

const progressOf = (set: Stage) => set.client.notifications('notifications/progress').map(({ value }) => value.params);

const TOKENS: Fault[] = [
  {
    id: 'A-progress-after-answer',
    what: 'Progress comes after the answer of its call',
    holds: 'What came before arrives, what came after does not',
    quick: true,
    run: (scene) =>
      besides(scene, 'progress-after-answer', async (set) => {
        await set.client.request('tools/call', { name: 'bad_go', _meta: { progressToken: 'tok' } });
        await assertEchoes(set.client);
        assert.deepEqual(progressOf(set), [{ progressToken: 'tok', progress: 1, message: 'before' }]);
      }),
  },
  {
    id: 'A-foreign-tokens',
    what: 'Progress for tokens that belong to other calls, or to none',
    holds: 'No client gets it',
    quick: true,
    run: (scene) =>
      besides(scene, 'foreign-tokens', async (set) => {
        const hanging = ['x', 1, 0].map((progressToken, index) =>
          set.client.request('tools/call', { name: 'bad_hang', _meta: { progressToken } }, `"h${index}"`),
        );
        await set.client.request('tools/call', { name: 'bad_go', _meta: { progressToken: 'mine' } });
        await assertEchoes(set.client);
        assertThat(
          'no progress for the call itself',
          !progressOf(set).some(({ progressToken }) => progressToken === 'mine'),
        );
        assertAtMost('progress that reached another call of the same upstream', progressOf(set).length, 2);
        void Promise.allSettled(hanging);
      }),
  },
];

const ASKS: Fault[] = [
  {
    id: 'A-server-requests',
    what: 'An upstream asks for sampling while two clients are connected',
    holds: 'Only the client whose call is open is asked',
    quick: true,
    async run(scene) {
      const capabilities = { sampling: {} };
      const set = await stage(scene, 'server-requests', { shared: true, capabilities });
      const { client: other } = await scene.stdio(set.config, { capabilities });
      const say = (who: string) => () => ({ role: 'assistant', model: who, content: { type: 'text', text: who } });
      set.client.answers.set('sampling/createMessage', say('the caller'));
      other.answers.set('sampling/createMessage', say('the other'));
      await besideGood(other, async () => {
        for (let time = 0; time < 10; time++) {
          assert.equal(JSON.parse(await set.client.callText('bad_go')).model, 'the caller');
        }
      });
      assertThat(
        'the other was not asked',
        !other.messages.some(({ value }) => value.method === 'sampling/createMessage'),
      );
    },
  },
  {
    id: 'A-ask-without-capability',
    what: 'An upstream asks a client for something it did not declare',
    holds: 'The upstream gets an error at once, the client is not asked, the call ends',
    quick: true,
    run: (scene) =>
      besides(scene, 'server-requests', async ({ client }) => {
        assert.equal(JSON.parse(await inTime('an answer', 2_000, client.callText('bad_go'))).code, -32601);
        assertThat('not asked', !client.messages.some(({ value }) => value.method === 'sampling/createMessage'));
      }),
  },
  {
    id: 'A-unknown-requests',
    what: 'An upstream sends a request with an unknown method',
    holds: 'It gets "method not found"; the client never sees it',
    quick: true,
    run: (scene) =>
      besides(scene, 'unknown-requests', async ({ client }) => {
        assert.equal(JSON.parse(await client.callText('bad_go')).code, -32601);
        assertThat('not asked', !client.messages.some(({ value }) => value.method === 'secret/steal'));
      }),
  },
  {
    id: 'A-ask-outside',
    what: 'An upstream asks for elicitation when no call is open',
    holds: 'It is refused; no client is asked',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'ask-outside',
        async ({ client, log }) => {
          await until('it was answered', () => log().some((line) => line.startsWith('answer')));
          assert.match(log().find((line) => line.startsWith('answer'))!, /-32601/);
          assertThat('not asked', !client.messages.some(({ value }) => value.method === 'elicitation/create'));
          await assertEchoes(client);
        },
        { capabilities: { elicitation: {} } },
      ),
  },
  {
    id: 'A-ask-and-die',
    what: 'An upstream asks its client and dies before the answer',
    holds: 'The call ends as `exited`, the question is taken back, a late answer to it has no effect',
    quick: true,
    run: (scene) =>
      besides(
        scene,
        'ask-and-die',
        async ({ client }) => {
          assertFailed(await client.call('bad_go'), { reason: 'exited' });
          const asked = client.messages.find(({ value }) => value.method === 'elicitation/create')!.value;
          await client.waitFor(
            ({ value }) => value.method === 'notifications/cancelled' && value.params.requestId === asked.id,
          );
          client.write(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: { action: 'cancel' } }));
          await assertEchoes(client);
        },
        { capabilities: { elicitation: {} } },
      ),
  },
  {
    id: 'A-request-flood',
    what: 'An upstream sends 20,000 pings',
    holds: 'All are answered; calls of others take at most 50 ms (99 of 100)',
    exclusive: true,
    async run(scene) {
      const { client } = await stage(scene, 'request-flood');
      const { value, good } = await besideGood(client, () => inTime('the pings', 15_000, client.callText('bad_go')));
      assert.equal(value, 'all answered');
      assertAtMost('p99 of good calls in ms', good.p99Ms, 50);
    },
  },
];

export const ANSWER_FAULTS: readonly Fault[] = [...SHAPES, ...STRAY, ...TOKENS, ...ASKS];
