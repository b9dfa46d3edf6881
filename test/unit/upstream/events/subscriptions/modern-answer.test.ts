import { expect, test } from 'vitest';
import type { ServerFacts } from '../../../../../src/upstream/connection/handshake.ts';
import type { ListenStream } from '../../../../../src/upstream/events/subscriptions/listen-stream.ts';
import { modernAnswer } from '../../../../../src/upstream/events/subscriptions/modern-answer.ts';
import { toBuffer } from '../../../../../src/wire/bytes.ts';

const TELLS = { resources: { subscribe: true } };

function ask(confirmed: 'told' | 'refused' | 'silent' | 'lost', capabilities: object | undefined = TELLS) {
  const asked: unknown[] = [];
  const stream = {
    confirm: (uri: string, ms: number) => {
      asked.push([uri, ms]);
      return Promise.resolve(confirmed);
    },
  } as unknown as ListenStream;
  const facts = { capabilities } as ServerFacts;
  const answer = modernAnswer('x:a', { upstream: 'up', patienceMs: 5_000, stream, facts });
  return { asked, answer };
}

const bodyOf = async (answer: ReturnType<typeof modernAnswer>) =>
  JSON.parse(toBuffer((await answer).withId('1')).toString()) as Record<string, unknown>;

test('a modern server that has acknowledged a resource has granted it', async () => {
  const { asked, answer } = ask('told');
  expect(await bodyOf(answer)).toMatchObject({ result: {} });
  expect(asked).toEqual([['x:a', 5_000]]);
});

test.each([
  ['leaves it out', 'refused' as const, TELLS, 'up: it does not tell of changes of this resource', 1],
  ['does not tell of resources', 'told' as const, {}, 'up: it does not tell of changes of resources', 0],
])('a modern server that %s has refused it', async (_what, confirmed, capabilities, message, times) => {
  const { asked, answer } = ask(confirmed, capabilities);
  expect(await bodyOf(answer)).toMatchObject({ error: { code: -32601, message } });
  expect(asked).toHaveLength(times);
});

test.each([
  ['silent', 'UPSTREAM_TIMEOUT', 'up: it has not acknowledged the subscription within 5 s'],
  ['lost', 'UPSTREAM_EXITED', 'up: the connection was lost before it acknowledged the subscription'],
] as const)('a modern server that is %s fails with %s', async (confirmed, code, message) => {
  await expect(ask(confirmed).answer).rejects.toMatchObject({ code, message });
});
