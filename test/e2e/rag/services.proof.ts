// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bagOfWords } from '../../../fixtures/services/bag-of-words.ts';
import { type OllamaFault, startOllama } from '../../../fixtures/services/ollama.ts';
import { startOpenAi } from '../../../fixtures/services/openai.ts';
import { goRagPoint, startQdrant } from '../../../fixtures/services/qdrant.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { type RagPlace, ragPlace } from '../../support/knowledge/rag-places.ts';
import { standIn } from '../../support/knowledge/services.ts';

const TEXT = 'The pelican catches fish in the lagoon';

async function withQdrant(key?: string) {
  const ollama = await standIn(startOllama({ dimensions: 64 }));
  const qdrant = await standIn(startQdrant(key === undefined ? {} : { key }));
  const env = { OLLAMA_BASE_URL: ollama.url };
  const rag = { embeddings: {}, qdrant: { url: qdrant.url, ...(key !== undefined && { apiKey: '${QDRANT_KEY}' }) } };
  const place = await ragPlace({ rag, env: { ...env, ...(key !== undefined && { QDRANT_KEY: key }) } });
  return { ollama, qdrant, place };
}

async function withVectors() {
  const ollama = await standIn(startOllama({ dimensions: 64 }));
  return { ollama, place: await ragPlace({ rag: { embeddings: { url: ollama.url } } }) };
}

const ask = ({ call }: RagPlace, question = TEXT) => call('rag_query', { question });

describe('Qdrant', () => {
  test('a collection that go-rag has made is read as it is, and added to', async () => {
    const { qdrant, place } = await withQdrant();
    const put = (target: string, body: object) =>
      fetch(`${qdrant.url}/collections/${target}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await put('hostuk-docs', { vectors: { size: 64, distance: 'Cosine' } });
    const points = [
      goRagPoint('docs/birds.md', 3, { text: TEXT, section: 'Pelicans' }),
      goRagPoint('docs/other.md', 0, { text: 'Something else entirely' }),
    ];
    await put('hostuk-docs/points?wait=true', {
      points: points.map((point) => ({ ...point, vector: bagOfWords(String(point.payload.text), 64) })),
    });
    const { results } = await ask(place);
    expect(results).toEqual([
      {
        content: TEXT,
        source: 'docs/birds.md',
        section: 'Pelicans',
        category: 'documentation',
        chunkIndex: 3,
        score: expect.closeTo(1, 5),
      },
    ]);
    place.write('docs/birds.md', TEXT);
    await place.call('rag_ingest', { path: 'docs/birds.md' });
    const again = await ask(place);
    expect(again.results).toHaveLength(1);
    expect(again.results[0]).toMatchObject({ source: 'docs/birds.md', chunkIndex: 0 });
    expect(again.results[0]).not.toHaveProperty('section');
    expect(qdrant.collections.get('hostuk-docs')!.points.size).toBe(2);
  });

  test('points have the ids that go-rag gives them', async () => {
    const { qdrant, place } = await withQdrant();
    place.write('a.md', TEXT);
    await place.call('rag_ingest', { path: 'a.md' });
    const [id] = qdrant.collections.get('hostuk-docs')!.points.keys();
    expect(id!.replaceAll('-', '')).toBe(goRagPoint('a.md', 0, { text: TEXT }).id);
  });

  test('points go in batches of 100', async () => {
    const { qdrant, place } = await withQdrant();
    place.write('long.md', Array.from({ length: 250 }, (_, at) => `## Part ${at}\n\nText ${at}`).join('\n'));
    expect(await place.call('rag_ingest', { path: 'long.md' })).toMatchObject({ chunks: 250 });
    const sizes = qdrant.requests
      .filter(({ body }) => body?.points !== undefined)
      .map(({ body }) => body.points.length);
    expect(sizes).toEqual([100, 100, 50]);
  });

  test('the key is sent, and is in no message and no log', async () => {
    const { qdrant, place } = await withQdrant('key-of-qdrant-01234');
    place.write('a.md', TEXT);
    await place.call('rag_ingest', { path: 'a.md' });
    expect(qdrant.requests.every(({ headers }) => headers['api-key'] === 'key-of-qdrant-01234')).toBe(true);
    qdrant.fail('locked');
    expect(await place.refusal('rag_query', { question: TEXT })).toBe(
      `failed to query RAG: Qdrant at ${qdrant.url}/ answers 401 (wrong key): set "apiKey" of qdrant in the config to a key that is valid.`,
    );
  });

  test('one that is down is named by each tool, with its address and how to start it', async () => {
    const { qdrant, place } = await withQdrant();
    await qdrant.stop();
    place.write('a.md', TEXT);
    const down = `Qdrant at ${qdrant.url}/ cannot be reached (ECONNREFUSED): start it`;
    expect(await place.refusal('rag_query', { question: TEXT })).toContain(`failed to query RAG: ${down}`);
    expect(await place.refusal('rag_collections')).toContain(`failed to list collections: ${down}`);
    expect(await place.refusal('rag_ingest', { path: 'a.md' })).toContain(`failed to ingest: ${down}`);
  });

  test('a collection without statistics is listed without them', async () => {
    const { qdrant, place } = await withQdrant();
    place.write('a.md', TEXT);
    await place.call('rag_ingest', { path: 'a.md' });
    qdrant.fail('no-stats');
    expect(await place.call('rag_collections', { show_stats: true })).toEqual({
      collections: [{ name: 'hostuk-docs' }],
    });
  });

  test('a collection of another model is not mixed with this one', async () => {
    const { qdrant, place } = await withQdrant();
    await fetch(`${qdrant.url}/collections/hostuk-docs`, {
      method: 'PUT',
      body: JSON.stringify({ vectors: { size: 384, distance: 'Cosine' } }),
    });
    place.write('a.md', TEXT);
    expect(await place.refusal('rag_ingest', { path: 'a.md' })).toContain(
      'has vectors of 384 numbers, and the model nomic-embed-text gives 64: use the model that it was made with, or recreate it',
    );
    expect(await place.refusal('rag_query', { question: TEXT })).toContain('expected dim: 384, got 64');
    expect(await place.call('rag_ingest', { path: 'a.md', recreate: true })).toMatchObject({ success: true });
    expect((await ask(place)).results).toHaveLength(1);
  });

  test('when vectors cannot be made, nothing is deleted', async () => {
    const { ollama, place } = await withQdrant();
    place.write('a.md', TEXT);
    await place.call('rag_ingest', { path: 'a.md' });
    ollama.fail('no-model');
    const words = 'has no model nomic-embed-text: run: ollama pull nomic-embed-text';
    expect(await place.refusal('rag_ingest', { path: 'a.md', recreate: true })).toContain(words);
    expect(await place.refusal('rag_query', { question: TEXT })).toContain(words);
    ollama.fail();
    expect((await ask(place)).results).toHaveLength(1);
  });

  test('a service that fails amid a folder: what was stored stays, and the rest is not tried for ever', async () => {
    const { ollama, place } = await withQdrant();
    for (let at = 0; at < 20; at++) place.write(`many/${String(at).padStart(2, '0')}.md`, `Pelican number ${at}`);
    await place.call('rag_ingest', { path: 'many/00.md' });
    ollama.fail();
    const trial = ollama.requests.length;
    const failing = place.refusal('rag_ingest', { path: 'many' });
    await ollama.whenAsked(trial + 1);
    ollama.fail('too-few');
    expect(await failing).toContain('failed to ingest many: many/00.md: Ollama at');
    expect(ollama.requests.length).toBeLessThan(trial + 15);
  });
});

describe('vectors in the own database', () => {
  test('passages are compared by cosine, and the threshold holds', async () => {
    const { place } = await withVectors();
    place.write('a.md', TEXT);
    place.write('b.md', 'Quite another matter, of which nobody asks');
    await place.call('rag_ingest', { path: '.' });
    const { mode, results } = await ask(place);
    expect(mode).toBe('vector');
    expect(results).toEqual([expect.objectContaining({ source: 'a.md', score: expect.closeTo(1, 4) })]);
  });

  test.each<OllamaFault>(['down', 'error', 'half', 'too-few', 'no-model', 'redirect'])(
    '%s while a question is asked: words are compared, and the answer says why',
    async (fault) => {
      const { ollama, place } = await withVectors();
      place.write('a.md', TEXT);
      await place.call('rag_ingest', { path: 'a.md' });
      ollama.fail(fault);
      const answer = await ask(place, 'pelican lagoon');
      expect(answer).toMatchObject({ mode: 'lexical', results: [{ source: 'a.md' }] });
      expect(answer.note).toContain(`Ollama at ${ollama.url}/api/embed`);
      expect(answer.results[0].score).toBeGreaterThan(0);
    },
  );

  test('a service that refuses while documents are ingested costs the vectors only', async () => {
    const { ollama, place } = await withVectors();
    ollama.fail('no-model');
    place.write('a.md', TEXT);
    const ingested = await place.call('rag_ingest', { path: 'a.md' });
    expect(ingested).toMatchObject({ success: true, chunks: 1 });
    expect(ingested.errors).toEqual([
      expect.stringContaining('a.md: kept without vectors, found by its words: Ollama'),
    ]);
    ollama.fail();
    expect(await ask(place)).toMatchObject({
      mode: 'lexical',
      results: [{ source: 'a.md' }],
      note: 'not all of hostuk-docs has vectors of the model nomic-embed-text: ingest its documents again',
    });
    await place.call('rag_ingest', { path: 'a.md' });
    expect(await ask(place)).toMatchObject({ mode: 'vector', results: [{ source: 'a.md' }] });
  });

  test('any service with the API of OpenAI will do, and its key is in no log', async () => {
    const service = await standIn(startOpenAi({ key: 'key-of-openai-98765' }));
    const log = path.join(temporaryFolder(), 'viaduct.log');
    const embeddings = { kind: 'openai', url: service.url, model: 'text-embedding-3-small', apiKey: '${OPENAI_KEY}' };
    const place = await ragPlace({
      rag: { embeddings },
      env: { OPENAI_KEY: 'key-of-openai-98765' },
      config: { log: { level: 'trace', file: log } },
    });
    place.write('a.md', TEXT);
    await place.call('rag_ingest', { path: 'a.md' });
    expect(await ask(place)).toMatchObject({ mode: 'vector', results: [{ source: 'a.md' }] });
    service.fail('quota');
    expect((await ask(place)).note).toContain('You exceeded your current quota');
    expect(readFileSync(log, 'utf8')).not.toContain('key-of-openai-98765');
  });
});

test('a service that does not answer delays neither start nor lists nor other tools', async () => {
  const { ollama, place } = await withVectors();
  ollama.fail('slow');
  const slow = place.client.callTool({ name: 'rag_collections', arguments: {} });
  expect(await slow).toMatchObject({ structuredContent: { collections: [] } });
  expect((await place.client.listTools()).tools).toHaveLength(3);
});
