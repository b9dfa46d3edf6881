import { expect, test } from 'vitest';
import { startOllama } from '../../../fixtures/services/ollama.ts';
import { startQdrant } from '../../../fixtures/services/qdrant.ts';
import { ragPlace } from '../../support/knowledge/rag-places.ts';
import { standIn } from '../../support/knowledge/services.ts';

test('a client that wants to know is told how many documents are done', async () => {
  const place = await ragPlace();
  for (let at = 0; at < 6; at++) place.write(`docs/${at}.md`, `Tapir ${at}`);
  const reports: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];
  await place.client.callTool(
    { name: 'rag_ingest', arguments: { path: 'docs' } },
    { onprogress: (report) => reports.push(report) },
  );
  // Reports that come quickly one after the other are put together.
  const counts = reports.map(({ progress }) => progress);
  expect(counts[0]).toBe(1);
  expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
  expect(reports.every(({ total }) => total === 6)).toBe(true);
  expect(reports[0]!.message).toMatch(/^docs\/\d\.md$/);
});

test('a cancelled call stops, and what was stored before stays', async () => {
  const ollama = await standIn(startOllama({ dimensions: 16 }));
  const qdrant = await standIn(startQdrant());
  const place = await ragPlace({ rag: { embeddings: { url: ollama.url }, qdrant: { url: qdrant.url } } });
  place.write('first.md', 'Tapir');
  await place.call('rag_ingest', { path: 'first.md' });
  for (let at = 0; at < 50; at++) place.write(`docs/${at}.md`, `Tapir ${at}`);
  const asked = ollama.requests.length;
  ollama.fail('slow');
  const call = new AbortController();
  const ingesting = place.client.callTool({ name: 'rag_ingest', arguments: { path: 'docs' } }, { signal: call.signal });
  await ollama.whenAsked(asked + 1);
  call.abort('enough');
  await expect(ingesting).rejects.toThrow();
  ollama.fail();
  const { results } = await place.call('rag_query', { question: 'Tapir' });
  expect(results.map(({ source }: any) => source)).toEqual(['first.md']);
});

test('calls at the same time are all answered', async () => {
  const place = await ragPlace();
  for (let at = 0; at < 10; at++) place.write(`docs/${at}.md`, `Tapir number${at}`);
  await place.call('rag_ingest', { path: 'docs' });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => place.call('rag_query', { question: `number${at % 10}`, topK: 1 })),
  );
  for (const [at, { results }] of answers.entries()) expect(results[0].source).toBe(`docs/${at % 10}.md`);
});
