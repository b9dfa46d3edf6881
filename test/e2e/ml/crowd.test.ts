import { expect, test } from 'vitest';
import { connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { freshHome, openServe, writeConfig } from '../../support/gateway.ts';
import { atEnd } from '../../support/shared.ts';
import { backend, KEY } from './setup.ts';

const KINDS = ['v1', 'v2 legacy', 'v2 pinned', 'v1'] as const;
const CALLS = 25;

interface Asked {
  readonly prompt: string;
  readonly answer: Promise<any>;
  readonly cancel: () => void;
}

function ask(client: EraClient, prompt: string): Asked {
  const call = new AbortController();
  const answer = client
    .call('ml_generate', { prompt }, { signal: call.signal, timeout: 120_000 })
    .catch((error: unknown) => error);
  return { prompt, answer, cancel: () => call.abort(new Error('not wanted')) };
}

test('100 generations of four clients at once, of which one cancels half of its own', async () => {
  const { entry, service } = await backend('openai', {}, { concurrency: 2 });
  const config = writeConfig({ enabledWorkflows: ['ml'], models: { backends: { local: entry } } });
  const { url } = await openServe(config, freshHome({ MODEL_KEY: KEY }));
  const clients = await Promise.all(KINDS.map((kind, at) => connectClient(kind, `client ${at}`, { url })));
  for (const client of clients) atEnd(() => client.close());
  service.hold();
  const prompts = Array.from({ length: CALLS }, (_, at) => at);
  // The one that cancels has the first turns, so that some of its calls are under way and others wait.
  const [fickle, ...others] = clients as [EraClient, ...EraClient[]];
  const own = prompts.map((at) => ask(fickle, `own ${at}`));
  await service.whenAsked(2);
  const theirs = others.flatMap((client, who) => prompts.map((at) => ask(client, `of ${who}: ${at}`)));
  const begun = new Set(service.requests.map(({ body }) => String(body.messages[0].content)));
  const unwanted = own.filter(({ prompt }) => begun.has(prompt)).concat(own.filter(({ prompt }) => !begun.has(prompt)));
  const [cancelled, kept] = [unwanted.slice(0, 12), unwanted.slice(12)];
  for (const { cancel } of cancelled) cancel();
  // Their places go to others while everything is held.
  await service.whenAsked(4);
  service.release();
  for (const { prompt, answer } of [...kept, ...theirs])
    expect(await answer, prompt).toMatchObject({ structuredContent: { response: `echo ${prompt}`, backend: 'local' } });
  for (const { answer } of cancelled) expect(await answer).toBeInstanceOf(Error);
  expect(service.mostOpen).toBe(2);
  const asked = service.requests.map(({ body }) => String(body.messages[0].content));
  expect(new Set(asked)).toHaveProperty('size', asked.length);
});
