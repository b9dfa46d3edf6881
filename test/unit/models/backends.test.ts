import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelFault, type ModelKind, type ModelOptions, startModels } from '../../../fixtures/services/models.ts';
import { GatewayError } from '../../../src/core/errors.ts';
import type { GenerateOptions, ModelRequest } from '../../../src/core/settings/model-backends.ts';
import { modelsOptions } from '../../../src/core/settings/models-options.ts';
import { ModelPool } from '../../../src/models/open-models.ts';
import { quickClock, standIn } from '../../support/knowledge/services.ts';

const KINDS = ['ollama', 'openai', 'anthropic'] as const;
const KEY = 'sk-very-secret-0123456789';
const QUESTION: ModelRequest = { messages: [{ role: 'user', content: 'one two three' }] };

async function scene(kind: ModelKind, more: object = {}, service: Partial<ModelOptions> = {}) {
  const models = await standIn(startModels({ kind, key: KEY, ...service }));
  const clock = quickClock();
  const backend = { kind, url: models.url, model: 'tiny', apiKey: KEY, ...more };
  const pool = new ModelPool({}, clock);
  const open = pool.open(modelsOptions.parse({ backends: { local: backend } }));
  const ask = (request: Partial<ModelRequest> = {}, options: Partial<GenerateOptions> = {}) =>
    open.generate(undefined, { ...QUESTION, ...request }, { signal: new AbortController().signal, ...options });
  const failure = async (fault: ModelFault, times?: number) => {
    models.fail(fault, times);
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect((error as GatewayError).code).toBe('MODEL_FAILED');
    expect((error as GatewayError).message).not.toContain(KEY);
    expect((error as GatewayError).message).toContain('the backend "local"');
    return (error as GatewayError).message;
  };
  return { models, clock, open, ask, failure, pool };
}

describe.each(KINDS)('%s', (kind) => {
  test('an answer arrives piece by piece, and whole', async () => {
    const { ask, models } = await scene(kind);
    const pieces: string[] = [];
    const answer = await ask({ temperature: 0.5, maxTokens: 9 }, { onText: (piece) => void pieces.push(piece) });
    expect(answer).toEqual({ text: 'echo one two three', backend: 'local', model: 'tiny', end: 'whole' });
    expect(pieces).toEqual(['echo ', 'one ', 'two ', 'three']);
    const { body } = models.requests[0]!;
    expect(body).toMatchObject({ model: 'tiny', stream: true });
    expect(body.temperature ?? body.options.temperature).toBe(0.5);
    expect(body.max_tokens ?? body.options.num_predict).toBe(9);
  });

  test('the limit on tokens ends an answer, which says so', async () => {
    const { ask } = await scene(kind);
    expect(await ask({ maxTokens: 2 })).toMatchObject({ text: 'echo one ', end: 'length' });
  });

  test('a system message goes where the service wants it', async () => {
    const { ask, models } = await scene(kind);
    await ask({ messages: [{ role: 'system', content: 'be brief' }, ...QUESTION.messages] });
    const { body } = models.requests[0]!;
    if (kind === 'anthropic') expect(body).toMatchObject({ system: 'be brief', messages: [{ role: 'user' }] });
    else expect(body.messages[0]).toEqual({ role: 'system', content: 'be brief' });
  });

  test.each<[ModelFault, string, number]>([
    ['locked', 'answers 401 (wrong key): set "apiKey" of models.backends.local in the config', 1],
    ['no-model', 'has no model tiny: ', 1],
    ['rate', 'answers 429 (too many requests): it gives no more for now', 3],
    ['error', 'answers 500 (something broke)', 3],
    ['redirect', 'redirects to another address (307), which is not followed: correct "url"', 1],
    ['html', 'answers with text/html, which no model sends: check "url"', 1],
    ['down', 'cannot be reached', 3],
    ['cut', 'breaks off amid its answer', 1],
    ['no-last', 'ends its stream amid its answer; 9 characters had come, and are not used', 1],
    ['malformed', 'sends a piece that is no JSON', 1],
    ['fails-amid', 'fails amid its answer (the runner has stopped); 9 characters', 1],
  ])('%s: "%s", after %i requests', async (fault, words, requests) => {
    const { failure, models } = await scene(kind);
    expect(await failure(fault)).toContain(words);
    expect(models.requests).toHaveLength(requests);
  });

  test('a wrong key is refused, and not repeated although the service repeats it', async () => {
    const { ask } = await scene(kind, { apiKey: 'another-secret-key' });
    const { message } = await ask().then(
      () => new Error('it was taken'),
      (thrown: unknown) => thrown as Error,
    );
    expect(message).toContain('answers 401 (invalid key: ***)');
    expect(message).not.toContain('another-secret-key');
  });

  test.each<ModelFault>(['down', 'error', 'rate'])('%s once: it is asked again', async (fault) => {
    const { ask, models, clock } = await scene(kind, {}, { retryAfter: '7' });
    models.fail(fault, 1);
    expect(await ask()).toMatchObject({ text: 'echo one two three' });
    expect(models.requests).toHaveLength(2);
    expect(clock.waits).toEqual([fault === 'rate' ? 7_000 : 1_000]);
  });

  test('no text in time is an error, and the request ends', async () => {
    const { ask, models } = await scene(kind, { firstTokenMs: 100 });
    models.hold();
    await expect(ask()).rejects.toThrow('gives no text within 0.1 s: it may still load the model');
    models.release();
  });

  test('silence amid an answer is an error that says how much had come', async () => {
    const { failure } = await scene(kind, { idleMs: 100 });
    expect(await failure('silent')).toContain('sends nothing for 0.1 s amid its answer; 9 characters had come');
  });

  test('a model that thinks has begun, though no text is there', async () => {
    const { failure } = await scene(kind, { firstTokenMs: 10_000, idleMs: 100 });
    expect(await failure('thinks')).toContain('sends nothing for 0.1 s amid its answer; no text had come');
  });

  test('a check that is led elsewhere says to correct the address', async () => {
    const { open, models } = await scene(kind);
    models.fail('redirect');
    const [state] = await open.states(undefined);
    expect(state!.reason).toContain('which is not followed: correct "url" of models.backends.local in the config');
  });

  test('an answer that is not streamed is taken', async () => {
    const { ask, models } = await scene(kind);
    models.fail('unstreamed');
    expect(await ask()).toMatchObject({ text: 'echo one two three', model: 'tiny', end: 'whole' });
  });

  test('a cancel ends the request', async () => {
    const { ask, models } = await scene(kind);
    models.hold();
    const call = new AbortController();
    const asked = ask({}, { signal: call.signal });
    await models.whenAsked(1);
    call.abort(new Error('not wanted'));
    await expect(asked).rejects.toThrow('not wanted');
    await expect.poll(() => models.open).toBe(0);
  });

  test('a check says whether it is there', async () => {
    const { open, models } = await scene(kind);
    expect(await open.states(undefined)).toEqual([
      { name: 'local', available: true },
      { name: 'client', available: false, reason: 'the calling client does not support sampling' },
    ]);
    await open.states(undefined);
    expect(models.requests).toHaveLength(1);
  });
});

test('a backend is asked as often at one time as its config says, whoever asks', async () => {
  const { pool, models, ask } = await scene('openai', { concurrency: 2 });
  const again = pool.open(
    modelsOptions.parse({
      backends: { local: { kind: 'openai', url: models.url, model: 'tiny', apiKey: KEY, concurrency: 2 } },
      default: 'client',
    }),
  );
  const { signal } = new AbortController();
  models.hold();
  const answers = Array.from({ length: 50 }, () => [ask(), again.generate('local', QUESTION, { signal })]).flat();
  await models.whenAsked(2);
  models.release();
  expect(new Set((await Promise.all(answers)).map(({ text }) => text))).toEqual(new Set(['echo one two three']));
  expect(models.mostOpen).toBe(2);
});

test('a call that waits for its turn can be cancelled', async () => {
  const { ask, models } = await scene('ollama', { concurrency: 1 });
  models.hold();
  const first = ask();
  await models.whenAsked(1);
  const call = new AbortController();
  const second = ask({}, { signal: call.signal });
  call.abort(new Error('not wanted'));
  await expect(second).rejects.toThrow('not wanted');
  models.release();
  expect(await first).toMatchObject({ end: 'whole' });
  expect(models.requests).toHaveLength(1);
});

test('calls that are cancelled leave a backend no more requests than its config allows', async () => {
  const { ask, models } = await scene('ollama', { concurrency: 1 });
  models.hold();
  const calls = Array.from({ length: 40 }, () => {
    const call = new AbortController();
    return { call, answer: ask({}, { signal: call.signal }).catch((error: unknown) => error) };
  });
  for (const [at, { call, answer }] of calls.entries()) {
    await models.whenAsked(at + 1);
    call.abort(new Error('not wanted'));
    expect(await answer).toEqual(new Error('not wanted'));
  }
  expect(models.mostOpen).toBe(1);
});

test('the connection of an answer that is not read is closed', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<html>');
    response.once('close', () => server.emit('left'));
  });
  const left = once(server, 'left');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = new ModelPool({}).open(modelsOptions.parse({ backends: { local: { kind: 'openai', url } } }));
  const { signal } = new AbortController();
  await expect(open.generate('local', QUESTION, { signal })).rejects.toThrow('answers with text/html');
  await left;
});

test('an unknown backend is an error with the names', async () => {
  const { open } = await scene('ollama');
  const { signal } = new AbortController();
  await expect(open.generate('lokal', QUESTION, { signal })).rejects.toThrow(
    'no backend is called "lokal": there are local, client',
  );
});

test('no backend at all: the model of a client that has one, else an error', async () => {
  const open = new ModelPool({}).open(modelsOptions.parse(undefined));
  const { signal } = new AbortController();
  await expect(open.generate(undefined, QUESTION, { signal })).rejects.toThrow('no backend is configured');
  const client = {
    canSample: true,
    sample: async () => ({ text: 'hello', model: 'theirs', stopReason: 'maxTokens' }),
  };
  expect(await open.generate(undefined, QUESTION, { signal, client })).toEqual({
    text: 'hello',
    backend: 'client',
    model: 'theirs',
    end: 'length',
  });
  await expect(open.generate('client', QUESTION, { signal, client: { ...client, canSample: false } })).rejects.toThrow(
    'does not support sampling',
  );
});

test('the environment names Ollama, and a bad address there is an error', async () => {
  const models = await standIn(startModels({ kind: 'ollama' }));
  const options = modelsOptions.parse({ backends: { local: { model: 'tiny' } } });
  const { signal } = new AbortController();
  const good = new ModelPool({ OLLAMA_BASE_URL: models.url.slice('http://'.length) }).open(options);
  expect(await good.generate('local', QUESTION, { signal })).toMatchObject({ text: 'echo one two three' });
  const bad = new ModelPool({ OLLAMA_BASE_URL: 'http://me:hunter2@localhost' }).open(options);
  const error = await bad.generate('local', QUESTION, { signal }).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('OLLAMA_BASE_URL must not have a user');
  expect(String(error)).not.toContain('hunter2');
});

test('a model that Ollama lacks is found by the check', async () => {
  const { open } = await scene('ollama', { model: 'huge' });
  expect((await open.states(undefined))[0]!.reason).toBe('it has no model huge: run: ollama pull huge');
});

test('a service without money is not asked again', async () => {
  const { failure, models } = await scene('openai');
  expect(await failure('quota')).toContain('no credit is left');
  expect(models.requests).toHaveLength(1);
});

test('a backend without a model says where to name one', async () => {
  const { ask } = await scene('anthropic', { model: undefined });
  await expect(ask()).rejects.toThrow('has no model: name one in the call, or as "model" of models.backends.local');
});
