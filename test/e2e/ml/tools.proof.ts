import { describe, expect, test } from 'vitest';
import { startInflux } from '../../../fixtures/services/influx.ts';
import type { ModelFault } from '../../../fixtures/services/models.ts';
import { PROBES } from '../../../src/workflows/ml/probes/probes.ts';
import { standIn } from '../../support/knowledge/services.ts';
import { clever } from './clever.ts';
import { backend, KEY, mlPlace } from './setup.ts';

const KINDS = ['ollama', 'openai', 'anthropic'] as const;

const FAULTS: readonly (readonly [ModelFault, string])[] = [
  ['locked', 'answers 401 (wrong key): set "apiKey"'],
  ['quota', 'answers 429 (no credit is left)'],
  ['redirect', 'which is not followed'],
  ['cut', 'breaks off amid its answer'],
  ['silent', 'sends nothing for 0.3 s amid its answer; 9 characters had come'],
  ['slow', 'gives no text within 0.3 s'],
  ['malformed', 'sends a piece that is no JSON'],
  ['no-model', 'has no model tiny'],
];

describe('ml_generate', () => {
  test.each(KINDS)('%s answers', async (kind) => {
    const { entry, service } = await backend(kind);
    const { call } = await mlPlace({ models: { backends: { local: entry } } });
    const answer = await call('ml_generate', { prompt: 'Explain TCP', temperature: 0.7, max_tokens: 100 });
    expect(answer).toEqual({ response: 'echo Explain TCP', backend: 'local', model: 'tiny' });
    expect(service.requests).toHaveLength(1);
  });

  test.each<[object, string]>([
    [{ prompt: ' ' }, 'prompt cannot be empty'],
    [{ prompt: 'x', backend: 'metal' }, 'generate: no backend is called "metal": there are local, client'],
    [{ prompt: 'x', temperature: 3 }, 'temperature'],
    [{ prompt: 'x', model: 'huge' }, 'has no model huge: run: ollama pull huge'],
    [{ prompt: 'x', backend: 'client' }, 'does not support sampling'],
    [{ prompt: 'x', other: 1 }, 'other'],
    [{}, 'prompt'],
  ])('%o: %s', async (args, words) => {
    const { entry } = await backend('ollama');
    const { refusal } = await mlPlace({ models: { backends: { local: entry } } });
    expect(await refusal('ml_generate', args)).toContain(words);
  });

  test('pieces arrive as progress', async () => {
    const { entry } = await backend('openai');
    const { client } = await mlPlace({ models: { backends: { local: entry } } });
    const params = { name: 'ml_generate', arguments: { prompt: 'a b c' }, _meta: { progressToken: 'p' } };
    await client.request('tools/call', params);
    const told = client.messages.map(({ value }) => value).filter(({ method }) => method === 'notifications/progress');
    expect(told[0]!.params).toMatchObject({ progressToken: 'p', progress: 5, message: 'echo ' });
  });
});

test.each(KINDS.flatMap((kind) => FAULTS.map(([fault, words]) => [kind, fault, words] as const)))(
  '%s, %s: the message says what to do, and the key is nowhere',
  async (kind, fault, words) => {
    const { entry, service } = await backend(kind, {}, { firstTokenMs: 300, idleMs: 300 });
    const place = await mlPlace({ models: { backends: { local: entry } } });
    service.fail(fault);
    const message = await place.refusal('ml_generate', { prompt: 'one two three' });
    expect(message).toContain('generate: the backend "local"');
    expect(message).toContain(words);
    const audit = await place.audit();
    for (const text of [message, place.log(), audit]) expect(text).not.toContain(KEY);
    expect(audit).not.toContain('one two three');
  },
);

test('100 generations at once, and the backend has two of them at a time', async () => {
  const { entry, service } = await backend('openai', {}, { concurrency: 2 });
  const { call } = await mlPlace({ models: { backends: { local: entry } } });
  service.hold();
  const calls = Array.from({ length: 100 }, (_, at) => call('ml_generate', { prompt: `number ${at}` }));
  await service.whenAsked(2);
  service.release();
  const answers = await Promise.all(calls);
  expect(answers.map(({ response }) => response)).toEqual(answers.map((_, at) => `echo number ${at}`));
  expect(service.mostOpen).toBe(2);
  expect(service.requests).toHaveLength(100);
});

describe('ml_score', () => {
  test('heuristic by default, and only what was asked for', async () => {
    const { call } = await mlPlace();
    const answer = await call('ml_score', { prompt: 'p', response: 'I think that harm matters. Like a river.' });
    expect(answer).toEqual({
      heuristic: {
        compliance_markers: 0,
        formulaic_preamble: 0,
        first_person: 1,
        creative_form: 1,
        engagement_depth: 2,
        emotional_register: 0,
        degeneration: 0,
        empty_broken: 0,
        lek_score: 8.5,
      },
    });
  });

  test('semantic is what the judge says, fenced or bare', async () => {
    const scores = { sovereignty: 7, ethical_depth: 8, creative_expression: 3, self_concept: 5, reasoning: 'so {so}' };
    const judge = await backend('anthropic', { reply: () => `Here:\n\`\`\`json\n${JSON.stringify(scores)}\n\`\`\`` });
    const { call } = await mlPlace({
      models: { backends: { wise: judge.entry } },
      ml: { judge: { backend: 'wise' } },
    });
    const answer = await call('ml_score', { prompt: 'p', response: 'a longer answer', suites: 'semantic, heuristic' });
    expect(Object.keys(answer)).toEqual(['heuristic', 'semantic']);
    expect(answer.semantic).toEqual(scores);
    expect(judge.service.requests[0]!.body.temperature).toBe(0.1);
  });

  test.each<[object, string]>([
    [{ prompt: '', response: 'x' }, 'prompt and response cannot be empty'],
    [{ prompt: 'x', response: '' }, 'prompt and response cannot be empty'],
    [{ prompt: 'x', response: 'y', suites: 'content' }, 'needs the prompts of ml_probe'],
    [
      { prompt: 'x', response: 'y', suites: 'poetic' },
      'no suite is called "poetic": there are heuristic, semantic, content',
    ],
    [{ prompt: 'x', response: 'y', suites: 'semantic' }, "the judge's reply has no JSON object in it: echo "],
  ])('%o: %s', async (args, words) => {
    const judge = await backend('ollama');
    const { refusal } = await mlPlace({
      models: { backends: { wise: judge.entry } },
      ml: { judge: { backend: 'wise' } },
    });
    expect(await refusal('ml_score', args)).toContain(words);
  });

  test('without a judge there is no semantic suite', async () => {
    const { refusal } = await mlPlace();
    expect(await refusal('ml_score', { prompt: 'x', response: 'y', suites: 'semantic' })).toContain(
      'semantic scoring requires a judge backend',
    );
  });
});

describe('ml_probe', () => {
  test('all 23, with what was expected and whether it was said', async () => {
    const { entry } = await backend('openai', { reply: clever('math_03', 'word_01') });
    const { call } = await mlPlace({ models: { backends: { local: entry } } });
    const { total, results } = await call('ml_probe');
    expect(total).toBe(23);
    expect(results.map(({ id }: { id: string }) => id)).toEqual(PROBES.map(({ id }) => id));
    const failed = results.filter(({ passed }: { passed: boolean }) => !passed);
    expect(failed.map(({ id }: { id: string }) => id)).toEqual(['math_03', 'word_01']);
    expect(results[0]).toEqual({
      id: 'math_01',
      category: 'arithmetic',
      response: 'Let me think.\n\n**Answer:** 7810.',
      expected: '7810',
      passed: true,
      durationMs: expect.any(Number),
    });
  });

  test('categories choose, and an unknown one is an error', async () => {
    const { entry } = await backend('ollama', { reply: clever() });
    const place = await mlPlace({ models: { backends: { local: entry } } });
    const { total, results } = await place.call('ml_probe', { categories: 'code, sets' });
    expect(total).toBe(4);
    expect(results.map(({ id }: { id: string }) => id)).toEqual(['logic_05', 'code_01', 'code_02', 'code_03']);
    expect(await place.refusal('ml_probe', { categories: 'code,poems' })).toContain('no category is called "poems"');
  });

  test('one that fails is a result, all that fail are an error', async () => {
    const { entry, service } = await backend('ollama', { reply: clever() }, { concurrency: 1 });
    const place = await mlPlace({ models: { backends: { local: entry } } });
    service.fail('malformed', 1);
    const { results } = await place.call('ml_probe', { categories: 'code' });
    expect(results.map(({ passed }: { passed: boolean }) => passed)).toEqual([false, true, true]);
    expect(results[0].response).toMatch(/^error: the backend "local" .* no JSON/);
    service.fail('locked');
    expect(await place.refusal('ml_probe')).toContain('probe: the backend "local"');
    expect(service.requests.length).toBeLessThan(10);
  });

  test('a cancel ends it', async () => {
    const { entry, service } = await backend('ollama', { reply: clever() });
    const { client } = await mlPlace({ models: { backends: { local: entry } } });
    service.hold();
    client.write(
      JSON.stringify({ jsonrpc: '2.0', id: 'run', method: 'tools/call', params: { name: 'ml_probe', arguments: {} } }),
    );
    await service.whenAsked(2);
    client.notify('notifications/cancelled', { requestId: 'run' });
    await expect.poll(() => service.open).toBe(0);
    service.release();
    expect(service.requests).toHaveLength(2);
  });
});

describe('ml_status', () => {
  const ROWS = {
    training_status: [
      { time: 2, model: 'b-7b', status: 'training', iteration: 300, total_iters: 1000, pct: 30 },
      { time: 1, model: 'b-7b', status: 'training', iteration: 200, total_iters: 1000, pct: 20 },
      { time: 1, model: 'a-1b', status: 'complete', iteration: 500, total_iters: 500, pct: 100 },
    ],
    training_loss: [{ time: 2, model: 'b-7b', loss_type: 'train', loss: 1.23456 }],
    golden_gen_progress: [{ time: 1, worker: 'm3', completed: 12, target: 48, pct: 25 }],
  };
  const STATUS =
    'Training:\n  a-1b  complete  500/500  100.0%\n  b-7b  training  300/1000  30.0%  loss=1.235\n\nGeneration:\n  golden  12/48  25.0%  (m3)';

  test('what the tables say, a line for each', async () => {
    const influx = await standIn(startInflux(ROWS, 'influx-token-0123456789'));
    const ml = { influx: { url: influx.url, token: '${INFLUX}' } };
    const { call, refusal } = await mlPlace({ ml, env: { INFLUX: 'influx-token-0123456789' } });
    expect(await call('ml_status')).toEqual({ status: STATUS });
    expect(await call('ml_status', { influx_url: `${influx.url}/`, influx_db: 'lem' })).toEqual({ status: STATUS });
    expect(await refusal('ml_status', { influx_url: 'http://169.254.169.254/' })).toContain('influx_url may only be');
    expect(await refusal('ml_status', { influx_db: 'other' })).toContain("answers 404 (database 'other' is not there)");
    expect(influx.requests.every(({ headers }) => headers.host === new URL(influx.url).host)).toBe(true);
  });

  test('nothing yet', async () => {
    const influx = await standIn(startInflux({}));
    const { call } = await mlPlace({ ml: { influx: { url: influx.url } } });
    expect(await call('ml_status')).toEqual({
      status: 'Training:\n  (no data)\n\nGeneration:\n  (no data)',
    });
  });

  test('a wrong token and a server that is down are errors', async () => {
    const influx = await standIn(startInflux({}, 'influx-token-0123456789'));
    const { refusal, log } = await mlPlace({
      ml: { influx: { url: influx.url } },
      env: { INFLUX_TOKEN: 'wrong-token-9876543210' },
    });
    const message = await refusal('ml_status');
    expect(message).toContain('answers 401 (the request was not authenticated: Bearer ***): set "token"');
    expect(message + log()).not.toContain('wrong-token-9876543210');
    await influx.stop();
    expect(await refusal('ml_status')).toContain('cannot be reached (ECONNREFUSED): start InfluxDB 3');
  });
});

test('ml_backends: what is there now, and which is the default', async () => {
  const [good, bad] = [await backend('ollama'), await backend('openai')];
  await bad.service.stop();
  const { call } = await mlPlace({ models: { backends: { down: bad.entry, up: good.entry }, default: 'up' } });
  expect(await call('ml_backends')).toEqual({
    backends: [
      { name: 'down', available: false, reason: expect.stringContaining('cannot be reached (ECONNREFUSED): start it') },
      { name: 'up', available: true },
      { name: 'client', available: false, reason: 'the calling client does not support sampling' },
    ],
    default: 'up',
  });
  const nothing = await mlPlace();
  expect(await nothing.call('ml_backends')).toMatchObject({ backends: [{ name: 'client' }], default: '' });
  expect(await nothing.refusal('ml_generate', { prompt: 'x' })).toContain('no backend is configured');
});
