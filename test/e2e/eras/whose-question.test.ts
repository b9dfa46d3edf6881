import path from 'node:path';
import { expect, test } from 'vitest';
import { connectStdio, linesOf, openServe, temporaryFolder, upstreams } from '../../support/gateway.ts';
import type { RawClient } from '../../support/raw-client.ts';
import { erasFixture } from './column.ts';

const ALL = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };

const questionsTo = (client: RawClient): string[] =>
  client.messages
    .filter(({ value }) => value.method === 'elicitation/create')
    .map(({ value }) => value.params.message as string);

test('a question goes to no other client, however long its own has had another question open', async () => {
  const log = path.join(temporaryFolder(), 'log');
  const config = upstreams({ e: erasFixture('legacy', `--log=${log}`) });
  const { env } = await openServe(config);
  const connect = async () => {
    const client = await connectStdio(config, { env, capabilities: ALL });
    await expect.poll(() => client.toolNames()).toContain('e_echo');
    return client;
  };
  const [a, b] = [await connect(), await connect()];
  b.answers.set('elicitation/create', () => ({ action: 'accept', content: { name: 'B was asked' } }));
  const isWaiting = (nonce: string) => expect.poll(() => linesOf(log)).toContain(`waiting ${nonce}`);

  // The call that will ask is open while another one asks: what A does not answer leaves both of them waiting.
  void a.call('e_ask_later', { nonce: 'second' }).catch(() => undefined);
  await isWaiting('second');
  void a.call('e_elicit', { text: 'first' }).catch(() => undefined);
  await expect.poll(() => questionsTo(a)).toEqual(['first']);
  // Long enough for a gateway to believe that nothing more will be heard of A's calls.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  void b.call('e_wait', { nonce: 'of b' }).catch(() => undefined);
  await isWaiting('of b');
  await a.call('e_release', { nonce: 'second' });
  await b.call('e_release', { nonce: 'of b' });

  await expect.poll(() => questionsTo(a)).toEqual(['first', 'second']);
  expect(questionsTo(b)).toEqual([]);
});
