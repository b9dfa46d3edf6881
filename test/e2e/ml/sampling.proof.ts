import { describe, expect, test } from 'vitest';
import { PROBES, promptOf } from '../../../src/workflows/ml/probes/probes.ts';
import { CLIENT_KINDS, type ClientKind, connectClient } from '../../support/clients/era-clients.ts';
import { BIN, freshHome, openServe, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';
import { mlPlace } from './setup.ts';

const CONFIG = { enabledWorkflows: ['ml'] };

async function connect(kind: ClientKind, way: 'stdio' | 'http', canBeAsked = true) {
  const config = writeConfig(CONFIG);
  const env = freshHome() as Record<string, string>;
  const where =
    way === 'stdio'
      ? { command: process.execPath, args: [BIN, 'stdio', '--config', config], env }
      : { url: (await openServe(config, env)).url };
  const client = await connectClient(kind, 'asker', where, { canBeAsked });
  atEnd(() => client.close());
  return client;
}

describe.each(CLIENT_KINDS.flatMap((kind) => [[kind, 'stdio'] as const, [kind, 'http'] as const]))(
  '%s over %s',
  (kind, way) => {
    test("the client's own model answers", async () => {
      const client = await connect(kind, way);
      const { structuredContent } = await client.call('ml_generate', {
        prompt: 'hello',
        backend: 'client',
        max_tokens: 7,
      });
      expect(structuredContent).toEqual({ response: 'asker samples hello', backend: 'client', model: 'm' });
      const [question] = client.asked.filter(({ method }) => method === 'sampling/createMessage');
      expect(question.params).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
        maxTokens: 7,
      });
    });

    test('a run of many prompts asks its user once', async () => {
      const client = await connect(kind, way);
      const { structuredContent } = await client.call('ml_probe', {}, { timeout: 60_000 });
      expect(structuredContent).toMatchObject({
        total: 23,
        note: 'The user was asked once, before the 23 prompts',
      });
      const methods = client.asked.map(({ method }) => method);
      expect(methods.filter((method) => method === 'elicitation/create')).toHaveLength(1);
      expect(methods.indexOf('elicitation/create')).toBe(
        methods.filter((method) => method !== 'roots/list').length - 24,
      );
      const prompts = client.asked.flatMap(({ params }) => params?.messages?.[0].content.text ?? []);
      expect(new Set(prompts)).toEqual(new Set(PROBES.map(promptOf)));
    });
  },
);

test.each(['v1', 'v2 pinned'] as const)('%s without sampling: the tool says so', async (kind) => {
  const client = await connect(kind, 'stdio', false);
  const { isError, content } = await client.call('ml_generate', { prompt: 'hello', backend: 'client' });
  expect(isError).toBe(true);
  expect(content[0].text).toContain('this client does not support sampling');
  const { structuredContent } = await client.call('ml_backends');
  expect(structuredContent).toMatchObject({ backends: [{ name: 'client', available: false }], default: '' });
});

const SAMPLING = { sampling: {}, elicitation: {} };

test('a client that has a model is the default where the config has none', async () => {
  const { client, call } = await mlPlace({ capabilities: SAMPLING });
  client.answers.set('sampling/createMessage', () => ({
    role: 'assistant',
    content: [
      { type: 'text', text: 'from ' },
      { type: 'text', text: 'parts' },
    ],
    model: 'theirs',
  }));
  expect(await call('ml_backends')).toEqual({ backends: [{ name: 'client', available: true }], default: 'client' });
  expect(await call('ml_generate', { prompt: 'x' })).toEqual({
    response: 'from \nparts',
    backend: 'client',
    model: 'theirs',
  });
});

test('a user who does not want the run is not asked for anything else', async () => {
  const { client, refusal } = await mlPlace({ capabilities: SAMPLING });
  let sampled = 0;
  client.answers.set('elicitation/create', () => ({ action: 'decline' }));
  client.answers.set('sampling/createMessage', () => sampled++);
  expect(await refusal('ml_probe')).toContain('The user does not want the probes to run with their own model');
  expect(sampled).toBe(0);
});

test('a client that cannot ask its user is told', async () => {
  const { client, call } = await mlPlace({ capabilities: { sampling: {} } });
  client.answers.set('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Answer: 27' },
    model: 'm',
  }));
  const { note, results } = await call('ml_probe', { categories: 'code' });
  expect(note).toContain('could not ask its user before the run');
  expect(results.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false, false]);
});

test('an answer without text is an error', async () => {
  const { client, refusal } = await mlPlace({ capabilities: SAMPLING });
  client.answers.set('sampling/createMessage', () => ({
    role: 'assistant',
    content: { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    model: 'm',
  }));
  expect(await refusal('ml_generate', { prompt: 'x' })).toContain("The client's model has answered without any text");
});

test('a client that refuses is quoted, in sampling and in the question before a run', async () => {
  const { client, refusal } = await mlPlace({ capabilities: SAMPLING });
  const refuse = async (method: string, message: string) => {
    const { value } = await client.waitFor((one) => one.value.method === method);
    client.write(JSON.stringify({ jsonrpc: '2.0', id: value.id, error: { code: -1, message } }));
  };
  const generated = refusal('ml_generate', { prompt: 'x' });
  await refuse('sampling/createMessage', 'User rejected\u001b[31m the request');
  expect(await generated).toContain(
    'generate: The client answered sampling/createMessage with an error: User rejected the request (-1)',
  );
  const probed = refusal('ml_probe');
  await refuse('elicitation/create', 'nobody is here');
  expect(await probed).toContain('The client answered elicitation/create with an error: nobody is here (-1)');
});
