import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type OllamaFault, startOllama } from '../../../fixtures/services/ollama.ts';
import { startOpenAi } from '../../../fixtures/services/openai.ts';
import { standIn } from '../../support/knowledge/services.ts';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { codeGateways, filesIn, onceLooked, repository } from './setup.ts';

const DIMENSIONS = 64;
const FILES = {
  'package.json': '{}\n',
  'src/birds.ts': '/** A pelican catches fish. */\nexport const pelican = 1;\n',
  'src/boats.ts': '/** A boat that has a sail. */\nexport const boat = 2;\n',
  // The search by words takes "bus" and "buses" for two words, the stand-in for one.
  'docs/travel.md': 'Take the bus.\n',
};
const BY_WORDS = { mode: 'lexical', results: [expect.objectContaining({ file_path: 'src/birds.ts' })] };

const REFUSALS: readonly (readonly [fault: OllamaFault, note: string])[] = [
  ['error', 'answers 500'],
  ['busy', 'answers 503'],
  ['html', 'answers without vectors'],
  ['huge', 'answers with more than'],
  ['redirect', 'which is not followed'],
  ['locked', 'set "apiKey"'],
  ['no-model', 'ollama pull nomic-embed-text'],
  ['too-few', 'with 0 vectors for 1 texts'],
  ['not-numbers', 'no list of finite numbers'],
];
const INDEX_REFUSALS: readonly (readonly [fault: OllamaFault, error: string, filesIndexed: number])[] = [
  ['no-model', 'ollama pull nomic-embed-text', Object.keys(FILES).length],
  ['locked', 'set "apiKey"', 0],
  ['too-few', 'vectors for', 0],
  ['uneven', 'vectors of different lengths', 0],
  ['redirect', 'which is not followed', 0],
];

describe.each(KINDS)('search_code with vectors, on %s', (kind) => {
  const { newPlace, connect } = codeGateways(kind);

  const gateway = async (place: Place, root: string, embeddings: object) => {
    const call = await connect(place, { workspace: { root }, workflows: { codebase: { embeddings } } });
    return {
      call,
      index: (more: object = {}) => call('index_repository', { path: root, name: 'x', ...more }),
      search: (query = 'pelican') => onceLooked(() => call('search_code', { query })),
    };
  };

  async function withOllama(skip: () => never) {
    const place = await newPlace(skip);
    const root = repository(FILES);
    const ollama = await standIn(startOllama({ dimensions: DIMENSIONS }));
    return { place, root, ollama, ...(await gateway(place, root, { url: ollama.url })) };
  }

  const textsOf = ({ requests }: { readonly requests: readonly { readonly body: any }[] }): string[] =>
    requests.flatMap(({ body }) => body.input);

  test('finds what has no word of the query, and says that vectors took part', async ({ skip }) => {
    const { index, search, ollama } = await withOllama(skip);
    expect(await index()).toMatchObject({ status: 'success', errors: [] });
    expect(textsOf(ollama)).toContain(FILES['docs/travel.md'].trimEnd());
    const answer = await search('buses');
    expect(answer).toMatchObject({ mode: 'hybrid', total_count: 0 });
    expect(answer.results[0]).toMatchObject({ file_path: 'docs/travel.md' });
    expect(answer).not.toHaveProperty('notes');
    const { results } = await search();
    expect(results[0]).toMatchObject({ file_path: 'src/birds.ts' });
    for (const { similarity_score: score } of results) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  test('the vectors stay, and only texts that are new are sent', async ({ skip }) => {
    const { place, root, index, ollama } = await withOllama(skip);
    await index();
    const sent = textsOf(ollama);
    expect(new Set(sent).size).toBe(sent.length);
    const other = await gateway(place, root, { url: ollama.url });
    await other.index({ force_reindex: true });
    expect(await other.search()).toMatchObject({ mode: 'hybrid' });
    expect(new Set(textsOf(ollama).slice(sent.length))).toEqual(new Set(['pelican']));
    writeFileSync(path.join(root, 'src/new.ts'), 'export const albatross = 3;\n');
    await other.index();
    expect(new Set(textsOf(ollama).slice(sent.length))).toEqual(new Set(['pelican', 'export const albatross = 3;']));
  });

  test('another model gets vectors of its own, without being asked to', async ({ skip }) => {
    const { place, root, index, ollama } = await withOllama(skip);
    await index();
    const minilm = await standIn(startOllama({ model: 'all-minilm', dimensions: 32 }));
    const other = await gateway(place, root, { url: minilm.url, model: 'all-minilm' });
    await expect.poll(async () => (await other.search()).mode).toBe('hybrid');
    expect(new Set(textsOf(minilm))).toEqual(new Set(textsOf(ollama).concat('pelican')));
    const before = textsOf(ollama).length;
    const again = await gateway(place, root, { url: ollama.url });
    expect(await again.search()).toMatchObject({ mode: 'hybrid' });
    expect(new Set(textsOf(ollama).slice(before))).toEqual(new Set(['pelican']));
  });

  test('an index that was made without a service gets its vectors at the next search', async ({ skip }) => {
    const place = await newPlace(skip);
    const root = repository(FILES);
    const before = await connect(place, { workspace: { root } });
    await before('index_repository', { path: root, name: 'x' });
    const ollama = await standIn(startOllama({ dimensions: DIMENSIONS }));
    const { search } = await gateway(place, root, { url: ollama.url });
    await expect.poll(async () => (await search()).mode).toBe('hybrid');
    expect(await search()).not.toHaveProperty('notes');
  });

  test('vectors of another length are not compared: a note says how to make them anew', async ({ skip }) => {
    const { place, root, index } = await withOllama(skip);
    await index();
    const shorter = await standIn(startOllama({ dimensions: 32 }));
    const other = await gateway(place, root, { url: shorter.url });
    const answer = await other.search();
    expect(answer).toMatchObject(BY_WORDS);
    expect(answer.notes.join()).toContain('vectors of 64 numbers, and the model nomic-embed-text gives 32 now');
    const named = await gateway(place, root, { url: shorter.url, dimensions: 32 });
    await expect.poll(async () => (await named.search()).mode).toBe('hybrid');
  });

  test('a service that refuses, or answers nonsense, during a search: the answer is by words, and says why', async ({
    skip,
  }) => {
    const { index, search, ollama } = await withOllama(skip);
    await index();
    for (const [fault, note] of REFUSALS) {
      ollama.fail(fault);
      const answer = await search();
      expect(answer, fault).toMatchObject(BY_WORDS);
      expect(answer.notes, fault).toEqual([
        expect.stringContaining(`These results are by words alone: Ollama at ${ollama.url}/api/embed`),
      ]);
      expect(answer.notes[0]).toContain(note);
    }
    ollama.fail();
    expect(await search()).toMatchObject({ mode: 'hybrid' });
  });

  test.each<[fault: OllamaFault, note: string]>([
    ['down', 'cannot be reached'],
    ['half', 'cannot be reached'],
    ['slow', 'does not answer within 10 s'],
  ])('one that is %s is not waited for again at once', async (fault, note) => {
    const { index, search, ollama } = await withOllama(() => expect.fail('no database'));
    await index();
    const before = ollama.requests.length;
    ollama.fail(fault);
    for (let times = 0; times < 3; times++) {
      const answer = await search();
      expect(answer).toMatchObject(BY_WORDS);
      expect(answer.notes).toEqual([expect.stringContaining(`Ollama at ${ollama.url}/api/embed ${note}`)]);
    }
    expect(ollama.requests).toHaveLength(before + 1);
  });

  test('one that refuses during an index: all is found by words, and by vectors once the service works', async ({
    skip,
  }) => {
    const { index, search, ollama } = await withOllama(skip);
    for (const [fault, error, filesIndexed] of INDEX_REFUSALS) {
      ollama.fail(fault);
      const outcome = await index();
      expect(outcome, fault).toMatchObject({ status: 'partial', errors: [expect.stringContaining(error)] });
      expect(outcome.files_indexed).toBe(filesIndexed);
    }
    expect(await search()).toMatchObject(BY_WORDS);
    ollama.fail();
    expect(await index()).toMatchObject({ status: 'success', files_indexed: 0 });
    expect(await search()).toMatchObject({ mode: 'hybrid' });
  });

  test('half an answer amid an index is asked for again', async ({ skip }) => {
    const { index, search, ollama } = await withOllama(skip);
    ollama.fail('half', 1);
    expect(await index()).toMatchObject({ status: 'success' });
    expect(await search()).toMatchObject({ mode: 'hybrid' });
  });

  test('a service with the API of OpenAI that gives no more: its key is in no answer', async ({ skip }) => {
    const place = await newPlace(skip);
    const root = repository(FILES);
    const key = 'key-of-openai-98765';
    const service = await standIn(startOpenAi({ key }));
    const embeddings = { kind: 'openai', url: service.url, model: 'text-embedding-3-small', apiKey: key };
    const { index, search } = await gateway(place, root, embeddings);
    await index();
    expect(await search()).toMatchObject({ mode: 'hybrid' });
    for (const [fault, note] of [
      ['quota', 'You exceeded your current quota'],
      ['rate', 'Rate limit reached'],
    ] as const) {
      service.fail(fault);
      const answer = await search();
      expect(answer).toMatchObject(BY_WORDS);
      expect(answer.notes.join()).toContain(note);
      expect(JSON.stringify(answer)).not.toContain(key);
    }
  });
});

test('filters hold for what is found by vectors alone', async () => {
  const { newPlace, connect } = codeGateways('SQLite');
  const root = repository(FILES);
  const ollama = await standIn(startOllama({ dimensions: DIMENSIONS }));
  const call = await connect(await newPlace(() => expect.fail()), {
    workspace: { root },
    workflows: { codebase: { embeddings: { url: ollama.url } } },
  });
  await call('index_repository', { path: root, name: 'x' });
  const search = async (more: object) => filesIn(await call('search_code', { query: 'buses', ...more }));
  expect(await search({ file_type: 'md' })).toEqual(['docs/travel.md']);
  expect(await search({ file_type: 'ts' })).not.toContain('docs/travel.md');
  expect(await search({ directory: 'src' })).not.toContain('docs/travel.md');
});

test('secrets in the code do not go to the service', async () => {
  const { newPlace, connect } = codeGateways('SQLite');
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const root = repository({ 'package.json': '{}\n', 'a.ts': `export const pelican = "${secret}";\n` });
  const ollama = await standIn(startOllama({ dimensions: DIMENSIONS }));
  const call = await connect(await newPlace(() => expect.fail()), {
    workspace: { root },
    workflows: { codebase: { embeddings: { url: ollama.url } } },
  });
  await call('index_repository', { path: root, name: 'x' });
  expect(JSON.stringify(ollama.requests.map(({ body }) => body))).toContain('export const pelican');
  expect(JSON.stringify(ollama.requests.map(({ body }) => body))).not.toContain(secret);
});
