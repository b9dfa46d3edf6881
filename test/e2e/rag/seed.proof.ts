import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docx } from '../../../fixtures/documents/docx.ts';
import { pdf } from '../../../fixtures/documents/pdf.ts';
import { startOllama } from '../../../fixtures/services/ollama.ts';
import { startQdrant } from '../../../fixtures/services/qdrant.ts';
import { type RagPlace, ragPlace } from '../../support/knowledge/rag-places.ts';
import { standIn } from '../../support/knowledge/services.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';

const STORES = ['SQLite', 'PostgreSQL', 'SQLite with vectors', 'Qdrant'] as const;
type Store = (typeof STORES)[number];

/** The thread that loads them goes last on a machine that is busy. */
const SLOW_LOADERS_MS = 180_000;

const GUIDE = `# Guide

How the billing service is run.

## Installation

Install the billing daemon with the package manager, then enable its unit.

## Rate limiting

Requests are limited by a token bucket. The bucket of each tenant refills every second.
`;

/** A gateway whose collections are in a store, with a workspace that has documents. */
async function open(store: Store, whenDone: (end: () => void | Promise<void>) => void): Promise<RagPlace | undefined> {
  let server: TestPostgres | undefined;
  let database: string | undefined;
  if (store === 'PostgreSQL') {
    server = await startPostgres();
    if (server === undefined) return undefined;
    whenDone(() => server?.stop());
    database = await server.newDatabase();
  }
  const hasVectors = store === 'Qdrant' || store === 'SQLite with vectors';
  const embeddings = hasVectors ? { url: (await standIn(startOllama(), whenDone)).url } : undefined;
  const qdrant = store === 'Qdrant' ? { url: (await standIn(startQdrant(), whenDone)).url } : undefined;
  const rag = { ...(embeddings && { embeddings, threshold: 0.2 }), ...(qdrant && { qdrant }) };
  return ragPlace({ rag, config: database === undefined ? {} : { database }, whenDone });
}

describe.each(STORES)('the tools of the seed, with collections in %s', (store) => {
  const ends: (() => void | Promise<void>)[] = [];
  let opened: RagPlace | undefined;
  const mode = store === 'Qdrant' || store === 'SQLite with vectors' ? 'vector' : 'lexical';

  beforeAll(async () => {
    opened = await open(store, (end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Skips the test where there is no such store. */
  const place = (skip: () => never): RagPlace => opened ?? skip();
  const sourcesOf = (answer: any) => answer.results.map(({ source }: any) => source);

  test('rag_collections: there is none yet', async ({ skip }) => {
    expect(await place(skip).call('rag_collections')).toEqual({ collections: [] });
  });

  test('rag_query: a collection that is not there', async ({ skip }) => {
    expect(await place(skip).refusal('rag_query', { question: 'anything' })).toContain(
      'failed to query RAG: there is no collection hostuk-docs: rag_ingest makes it',
    );
  });

  test('rag_ingest: a file, into the collection of the config, which is made', async ({ skip }) => {
    const { write, call } = place(skip);
    write('docs/guide.md', GUIDE);
    expect(await call('rag_ingest', { path: 'docs/guide.md' })).toEqual({
      success: true,
      path: 'docs/guide.md',
      collection: 'hostuk-docs',
      chunks: 3,
      message: 'Successfully ingested file docs/guide.md (3 chunks) into collection hostuk-docs',
    });
  });

  test('rag_query: the best first, with keys as the seed has them', async ({ skip }) => {
    const question = 'How are requests of a tenant limited by the token bucket?';
    const answer = await place(skip).call('rag_query', { question });
    expect(answer).toMatchObject({ query: question, collection: 'hostuk-docs', mode });
    const [best] = answer.results;
    expect(best).toEqual({
      content:
        '## Rate limiting\n\nRequests are limited by a token bucket. The bucket of each tenant refills every second.',
      source: 'docs/guide.md',
      section: 'Rate limiting',
      category: 'documentation',
      chunkIndex: 2,
      score: expect.any(Number),
    });
    const scores = answer.results.map(({ score }: any) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score: number) => score >= 0 && score <= 1)).toBe(true);
    expect(Object.keys(answer)).not.toContain('note');
  });

  test('rag_query: context has the form of go-rag, and is empty without results', async ({ skip }) => {
    const { write, call } = place(skip);
    write('"a" & b/<x>.md', `Zeppelin & <b>"airship"</b>, it's one.`);
    await call('rag_ingest', { path: '"a" & b/<x>.md', collection: 'escapes' });
    const { context, results } = await call('rag_query', { question: 'zeppelin airship one', collection: 'escapes' });
    expect(results[0]).not.toHaveProperty('section');
    expect(context).toBe(
      '<retrieved_context>\n<document source="&#34;a&#34; &amp; b/&lt;x&gt;.md" section="" category="documentation">\nZeppelin &amp; &lt;b&gt;&#34;airship&#34;&lt;/b&gt;, it&#39;s one.\n</document>\n\n</retrieved_context>',
    );
    const nothing = await call('rag_query', { question: 'quixotic xylophone', collection: 'escapes' });
    expect(nothing).toMatchObject({ results: [], context: '' });
  });

  test.each([
    [undefined, 5],
    [0, 5],
    [-3, 5],
    [1, 1],
    [7, 7],
    [100, 8],
  ])('rag_query: topK %s gives %i of 8', async (topK, count) => {
    const { write, call } = place(() => undefined as never);
    const known = await call('rag_collections');
    if (!JSON.stringify(known).includes('many')) {
      for (let at = 0; at < 8; at++) write(`many/${at}.txt`, `Penguins of the colony number ${at}`);
      await call('rag_ingest', { path: 'many', collection: 'many' });
    }
    const args = { question: 'penguins of the colony number', collection: 'many', ...(topK !== undefined && { topK }) };
    expect((await call('rag_query', args)).results).toHaveLength(count);
  });

  test.each([
    ['rag_query', { question: '' }, 'question cannot be empty'],
    ['rag_query', { question: ' \n' }, 'question cannot be empty'],
    ['rag_query', {}, 'question'],
    ['rag_query', { question: 'x', topK: 101 }, 'topK'],
    ['rag_query', { question: 'x', topK: 1.5 }, 'topK'],
    ['rag_query', { question: 'x', top_k: 3 }, 'top_k'],
    ['rag_query', { question: 'x', collection: '../etc' }, 'collection'],
    ['rag_query', { question: 'x'.repeat(8_001) }, 'question'],
    ['rag_ingest', {}, 'path'],
    ['rag_ingest', { path: 'docs', recreate: 'yes' }, 'recreate'],
    ['rag_ingest', { path: 'nowhere.md' }, 'there is no such file or folder'],
    ['rag_ingest', { path: '../outside.md' }, 'leads out of the workspace'],
    ['rag_ingest', { path: '/etc/passwd' }, 'outside of the workspace'],
    ['rag_collections', { show_stats: 1 }, 'show_stats'],
  ])('%s %o is refused', async (tool, args, words) => {
    expect(await place(() => undefined as never).refusal(tool, args)).toContain(words);
  });

  test('rag_ingest: a directory, with all that is below it, and without the folders of other programs', async ({
    skip,
  }) => {
    const { write, call } = place(skip);
    const files = ['tree/a.MD', 'tree/b.markdown', 'tree/deep/er/c.txt', 'tree/plan/d.md'];
    for (const [at, file] of files.entries()) write(file, `Walrus herd ${at}`);
    for (const file of ['tree/code.go', 'tree/.git/e.md', 'tree/node_modules/p/f.md']) write(file, 'Walrus elsewhere');
    write('tree/blank.md', '  \n');
    const answer = await call('rag_ingest', { path: 'tree', collection: 'tree' });
    expect(answer).toEqual({
      success: true,
      path: 'tree',
      collection: 'tree',
      chunks: 0,
      message: 'Successfully ingested directory tree into collection tree',
    });
    const found = await call('rag_query', { question: 'walrus herd', collection: 'tree', topK: 50 });
    expect(sourcesOf(found).sort()).toEqual(files);
    expect(found.results.find(({ source }: any) => source === 'tree/plan/d.md').category).toBe('task');
  });

  test('rag_ingest: a directory without documents is an error', async ({ skip }) => {
    const { write, refusal } = place(skip);
    write('code/main.go', 'package main');
    expect(await refusal('rag_ingest', { path: 'code', collection: 'code' })).toContain('contains no documents');
  });

  test('rag_ingest: a file of any ending, and a blank one', async ({ skip }) => {
    const { write, call } = place(skip);
    write('code/main.go', 'package main\n\nfunc gazelle() int {\n\treturn 42\n}\n');
    write('code/empty', '\n');
    const answer = await call('rag_ingest', { path: 'code/main.go', collection: 'code' });
    expect(answer.chunks).toBeGreaterThan(0);
    const { results } = await call('rag_query', { question: 'func gazelle return', collection: 'code' });
    expect(results[0].content).toContain('gazelle');
    expect(await call('rag_ingest', { path: 'code/empty', collection: 'code' })).toMatchObject({ chunks: 0 });
  });

  test(
    'rag_ingest: HTML, Word and PDF',
    async ({ skip }) => {
      const { write, call } = place(skip);
      write('formats/page.html', '<html><title>Page</title><body><h2>Otters</h2><p>The otter swims.</p></body></html>');
      write('formats/word.docx', docx([{ text: 'Badgers', heading: 2 }, { text: 'The badger digs.' }]));
      write('formats/paper.pdf', pdf([[['The heron', 'waits.']]]));
      await call('rag_ingest', { path: 'formats', collection: 'formats' });
      for (const [question, source] of [
        ['the otter swims', 'formats/page.html'],
        ['the badger digs', 'formats/word.docx'],
        ['the heron waits', 'formats/paper.pdf'],
      ]) {
        const answer = await call('rag_query', { question, collection: 'formats', topK: 1 });
        expect(sourcesOf(answer)).toEqual([source]);
      }
    },
    SLOW_LOADERS_MS,
  );

  test('rag_ingest: what cannot be read is in errors, and the rest is ingested', async ({ skip }) => {
    const { write, call, refusal } = place(skip);
    write('mixed/good.md', 'Marmot');
    write('mixed/bad.pdf', 'no PDF');
    write('mixed/bad.txt', Buffer.from([0xff, 0x00, 0xfe]));
    const answer = await call('rag_ingest', { path: 'mixed', collection: 'mixed' });
    expect(answer).toMatchObject({ success: true, chunks: 0 });
    expect(answer.message).toContain('2 of 3 documents could not be ingested');
    expect(answer.errors).toEqual([
      expect.stringContaining('mixed/bad.pdf: it is damaged, or no PDF'),
      'mixed/bad.txt: it is no text in UTF-8 or UTF-16',
    ]);
    expect(await refusal('rag_ingest', { path: 'mixed/bad.txt', collection: 'mixed' })).toContain(
      'failed to ingest mixed/bad.txt: mixed/bad.txt: it is no text in UTF-8 or UTF-16',
    );
  });

  test('rag_ingest: a document that is ingested again takes the place of what it was', async ({ skip }) => {
    const { write, call } = place(skip);
    write('again/a.md', '## Old\n\nThe lemming of yesterday.\n\n## Both\n\nThe lemming stays.');
    write('again/b.md', 'Another lemming.');
    await call('rag_ingest', { path: 'again', collection: 'again' });
    write('again/a.md', '## Both\n\nThe lemming stays.');
    await call('rag_ingest', { path: 'again/a.md', collection: 'again' });
    const { results } = await call('rag_query', { question: 'the lemming', collection: 'again' });
    expect(results.map(({ content }: any) => content).sort()).toEqual([
      '## Both\n\nThe lemming stays.',
      'Another lemming.',
    ]);
    expect(await call('rag_collections', { show_stats: true })).toMatchObject({
      collections: expect.arrayContaining([{ name: 'again', points_count: 2, status: 'green' }]),
    });
  });

  test('rag_ingest: recreate empties the collection first, for files and directories', async ({ skip }) => {
    const { write, call } = place(skip);
    for (const path of ['fresh/one.md', 'fresh/two.md']) {
      write(path, `Ibex in ${path}`);
      await call('rag_ingest', { path, collection: 'fresh', recreate: true });
      expect(sourcesOf(await call('rag_query', { question: 'ibex', collection: 'fresh' }))).toEqual([path]);
    }
    rmSync(path.join(place(skip).workspace, 'fresh/one.md'));
    await call('rag_ingest', { path: 'fresh', collection: 'fresh', recreate: true });
    expect(sourcesOf(await call('rag_query', { question: 'ibex', collection: 'fresh' }))).toEqual(['fresh/two.md']);
  });

  test('rag_collections: names alone, or with their statistics', async ({ skip }) => {
    const { call } = place(skip);
    const { collections } = await call('rag_collections');
    const names = collections.map(({ name }: any) => name);
    expect(names).toEqual([...names].sort((one, other) => (one < other ? -1 : 1)));
    expect(collections).toContainEqual({ name: 'hostuk-docs' });
    const withStats = await call('rag_collections', { show_stats: true });
    expect(withStats.collections).toContainEqual({ name: 'hostuk-docs', points_count: 3, status: 'green' });
    expect(withStats.collections).toHaveLength(names.length);
  });

  test('secrets are not stored, nor sent to a service', async ({ skip }) => {
    const { write, call } = place(skip);
    write('secret.md', 'The deploy token of the capybara is ghp_0123456789abcdefghijABCDEFGHIJ456789.');
    await call('rag_ingest', { path: 'secret.md', collection: 'secret' });
    const { results } = await call('rag_query', { question: 'deploy token of the capybara', collection: 'secret' });
    expect(results[0].content).toContain('[redacted:');
    expect(JSON.stringify(results)).not.toContain('ghp_0123');
  });

  test('the tools say what they do to the world', async ({ skip }) => {
    const { tools } = await place(skip).client.listTools();
    expect(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    ).toEqual([
      ['rag_query', true, false],
      ['rag_ingest', false, true],
      ['rag_collections', true, false],
    ]);
    expect(tools.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
  });

  test('what changes a collection is audited at the level Security', async ({ skip }) => {
    const { env } = place(skip);
    const file = path.join(env.VIADUCT_HOME!, 'audit', 'audit.jsonl');
    const lines = () =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const levelOf = (name: string) => lines().find(({ tool }) => tool === name)?.level;
    expect(levelOf('rag_ingest')).toBe('security');
    expect(levelOf('rag_query')).toBe('info');
  });
});
