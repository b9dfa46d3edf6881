import { describe, expect, test } from 'vitest';
import { bagOfWords } from '../../../../fixtures/services/bag-of-words.ts';
import { startOllama } from '../../../../fixtures/services/ollama.ts';
import { startOpenAi } from '../../../../fixtures/services/openai.ts';
import { embeddingsOptions } from '../../../../src/core/settings/embeddings-options.ts';
import { createEmbedder, type Patience } from '../../../../src/knowledge/embeddings/create-embedder.ts';
import type { Embedder } from '../../../../src/knowledge/embeddings/embedder.ts';
import { EmbeddingError } from '../../../../src/knowledge/embeddings/embedding-error.ts';
import { quickClock, standIn } from '../../../support/knowledge/services.ts';

const { signal } = new AbortController();

function embedderOf(options: object, patience: Patience = 'run', env = {}) {
  const clock = quickClock();
  const embedder = createEmbedder({ options: embeddingsOptions.parse(options), env, patience, clock });
  return { embedder, clock };
}

async function failureOf(embedder: Embedder, texts: readonly string[] = ['one', 'two', 'three']) {
  const error = await embedder.embed(texts, signal).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EmbeddingError);
  return error as EmbeddingError;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text number ${index}`);

describe('Ollama', () => {
  test('texts go in batches of 50, and vectors come in the order of the texts', async () => {
    const service = await standIn(startOllama({ dimensions: 32 }));
    const { embedder } = embedderOf({ url: service.url, dimensions: 32, concurrency: 2 });
    const texts = numbered(120);
    const vectors = await embedder.embed(texts, signal);
    expect(service.requests.map(({ body }) => body.input.length).sort((a, b) => a - b)).toEqual([20, 50, 50]);
    expect(service.requests[0]!.body.model).toBe('nomic-embed-text');
    expect(vectors).toHaveLength(120);
    for (const [index, vector] of vectors.entries())
      expect([...vector]).toEqual([...Float32Array.from(bagOfWords(texts[index]!, 32))]);
  });

  test('no texts need no service', async () => {
    const { embedder } = embedderOf({ url: 'http://127.0.0.1:1' });
    expect(await embedder.embed([], signal)).toEqual([]);
  });

  test('the environment names the service and the model where the config does not', async () => {
    const service = await standIn(startOllama({ model: 'all-minilm', dimensions: 384 }));
    const env = { OLLAMA_BASE_URL: service.url.slice('http://'.length), OLLAMA_EMBEDDING_MODEL: 'all-minilm' };
    const { embedder } = embedderOf({}, 'run', env);
    expect(embedder.model).toBe('all-minilm');
    expect((await embedder.embed(['x'], signal))[0]).toHaveLength(384);
  });

  test('the config is stronger than the environment', async () => {
    const service = await standIn(startOllama());
    const env = { OLLAMA_BASE_URL: 'http://127.0.0.1:1', OLLAMA_EMBEDDING_MODEL: 'other' };
    const { embedder } = embedderOf({ url: service.url, model: 'nomic-embed-text' }, 'run', env);
    expect((await embedder.embed(['x'], signal))[0]).toHaveLength(768);
  });

  test.each([
    ['http://user:hunter2@127.0.0.1:1/', 'must not have a user'],
    ['http://', 'must be a url'],
    ['ftp://127.0.0.1', 'must be a url'],
  ])('an address in the environment that cannot be used is refused: %s', async (OLLAMA_BASE_URL, why) => {
    const { message } = await failureOf(embedderOf({}, 'run', { OLLAMA_BASE_URL }).embedder);
    expect(message).toContain(`OLLAMA_BASE_URL ${why}`);
    expect(message).not.toContain('hunter2');
  });

  test('there is no model: the message says how to get it, and it is not asked for again', async () => {
    const service = await standIn(startOllama());
    const { embedder } = embedderOf({ url: service.url, model: 'mxbai-embed-large' });
    const error = await failureOf(embedder);
    expect(error.fault).toBe('no-model');
    expect(error.message).toBe(
      `Ollama at ${service.url}/api/embed has no model mxbai-embed-large: run: ollama pull mxbai-embed-large`,
    );
    expect(service.requests).toHaveLength(1);
  });

  test.each(['down', 'error', 'half'] as const)('%s: again after 1, 2 and 4 seconds', async (fault) => {
    const service = await standIn(startOllama());
    service.fail(fault, 3);
    const { embedder, clock } = embedderOf({ url: service.url });
    expect(await embedder.embed(['x'], signal)).toHaveLength(1);
    expect(clock.waits).toEqual([1_000, 2_000, 4_000]);
    expect(service.requests).toHaveLength(4);
  });

  test('a service that is down is named, with its address and how to start it', async () => {
    const service = await standIn(startOllama());
    await service.stop();
    const { embedder, clock } = embedderOf({ url: service.url });
    const error = await failureOf(embedder);
    expect(error.fault).toBe('unreachable');
    expect(error.message).toBe(
      `Ollama at ${service.url}/api/embed cannot be reached (ECONNREFUSED): start it with: ollama serve`,
    );
    expect(clock.waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('somebody who waits for an answer is not kept waiting by a service that is down', async () => {
    const service = await standIn(startOllama());
    service.fail('down');
    const { embedder, clock } = embedderOf({ url: service.url }, 'question');
    expect((await failureOf(embedder)).fault).toBe('unreachable');
    expect(clock.waits).toEqual([]);
    expect(service.requests).toHaveLength(1);
  });

  test('one that was down is left alone for a while, then it is tried again', async () => {
    const service = await standIn(startOllama());
    service.fail('down', 1);
    const { embedder, clock } = embedderOf({ url: service.url }, 'question');
    const first = await failureOf(embedder);
    clock.turn(9_999);
    expect(await failureOf(embedder)).toBe(first);
    expect(service.requests).toHaveLength(1);
    clock.turn(1);
    expect(await embedder.embed(['x'], signal)).toHaveLength(1);
  });

  test('Retry-After is heeded', async () => {
    const service = await standIn(startOllama());
    service.fail('busy', 2);
    const { embedder, clock } = embedderOf({ url: service.url });
    await embedder.embed(['x'], signal);
    expect(clock.waits).toEqual([3_000, 3_000]);
  });

  test.each([
    ['error', 'refused', 'answers 500 (something broke)'],
    ['redirect', 'invalid-answer', 'redirects to another address (307), which is not followed'],
    ['html', 'invalid-answer', 'answers without vectors'],
    ['huge', 'invalid-answer', 'answers with more than 67108864 bytes'],
    ['too-few', 'invalid-answer', 'answers with 2 vectors for 3 texts'],
    ['uneven', 'invalid-answer', 'answers with vectors of different lengths, 768 and 767'],
    ['not-numbers', 'invalid-answer', 'answers with a vector that is no list of finite numbers'],
  ] as const)('%s is a fault that is named', async (fault, kind, words) => {
    const service = await standIn(startOllama());
    service.fail(fault);
    const error = await failureOf(embedderOf({ url: service.url }).embedder);
    expect(error.fault).toBe(kind);
    expect(error.message).toBe(`Ollama at ${service.url}/api/embed ${words}`);
  });

  test('vectors of another length than the config says are refused', async () => {
    const service = await standIn(startOllama());
    const error = await failureOf(embedderOf({ url: service.url, dimensions: 384 }).embedder);
    expect(error.fault).toBe('invalid-answer');
    expect(error.message).toContain('vectors of 768 numbers, and "dimensions" in the config is 384');
  });

  test('a cancelled call ends at once, with its own reason', async () => {
    const service = await standIn(startOllama());
    service.fail('slow');
    const call = new AbortController();
    const answer = embedderOf({ url: service.url }).embedder.embed(['x'], call.signal);
    await service.whenAsked(1);
    const reason = new Error('the client has gone');
    call.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test('when one batch fails, those behind it are not sent', async () => {
    const service = await standIn(startOllama());
    service.fail('too-few');
    await failureOf(embedderOf({ url: service.url, concurrency: 1 }).embedder, numbered(500));
    expect(service.requests.length).toBeLessThan(3);
  });
});

describe('a service with the API of OpenAI', () => {
  const options = (url: string, more = {}) => ({ kind: 'openai', url, model: 'text-embedding-3-small', ...more });

  test.each(['', '/', '/v1', '/v1/'])('the url may end with "%s"', async (end) => {
    const service = await standIn(startOpenAi());
    const { embedder } = embedderOf(options(service.url + end));
    const texts = ['one text', 'quite another', 'a third'];
    const vectors = await embedder.embed(texts, signal);
    expect(vectors.map((vector) => [...vector])).toEqual(
      texts.map((text) => [...Float32Array.from(bagOfWords(text, 256))]),
    );
    expect(service.requests[0]!.body).toMatchObject({ encoding_format: 'float', input: texts });
  });

  test('a length that is configured is asked for', async () => {
    const service = await standIn(startOpenAi());
    const { embedder } = embedderOf(options(service.url, { dimensions: 64 }));
    expect((await embedder.embed(['x'], signal))[0]).toHaveLength(64);
    expect(service.requests[0]!.body.dimensions).toBe(64);
  });

  test('the key is sent, and is in no message', async () => {
    const service = await standIn(startOpenAi({ key: 'right-key' }));
    await embedderOf(options(service.url, { apiKey: 'right-key' })).embedder.embed(['x'], signal);
    const error = await failureOf(embedderOf(options(service.url, { apiKey: 'wrong-key' })).embedder);
    expect(error.fault).toBe('refused');
    expect(error.message).toBe(
      `The embedding service at ${service.url}/v1/embeddings answers 401 (Incorrect API key provided: ***): set "apiKey" of embeddings in the config to a key that is valid`,
    );
  });

  test('too many requests: again after the time that the service wants', async () => {
    const service = await standIn(startOpenAi());
    service.fail('rate', 3);
    const { embedder, clock } = embedderOf(options(service.url));
    await embedder.embed(['x'], signal);
    expect(clock.waits).toEqual([2_000, 2_000, 4_000]);
  });

  test('no money left: it is not asked again', async () => {
    const service = await standIn(startOpenAi());
    service.fail('quota');
    const error = await failureOf(embedderOf(options(service.url)).embedder);
    expect(error.fault).toBe('quota');
    expect(error.message).toContain('answers 429 (You exceeded your current quota): it gives no more for now');
    expect(service.requests).toHaveLength(1);
  });

  test('there is no such model', async () => {
    const service = await standIn(startOpenAi());
    const error = await failureOf(embedderOf(options(service.url, { model: 'nothing' })).embedder);
    expect(error.fault).toBe('no-model');
    expect(error.message).toContain('has no model nothing: name one that it has');
  });

  test('there is no such address', async () => {
    const service = await standIn(startOpenAi());
    const error = await failureOf(embedderOf(options(`${service.url}/api`)).embedder);
    expect(error.fault).toBe('refused');
    expect(error.message).toContain('answers 404 (Invalid URL): check "url" of embeddings in the config');
  });
});
