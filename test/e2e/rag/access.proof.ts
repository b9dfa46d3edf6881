import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { ragPlace } from '../../support/knowledge/rag-places.ts';

describe('what is ingested is in the workspace', () => {
  test('what links lead to outside is left alone', async () => {
    const place = await ragPlace();
    const outside = temporaryFolder();
    place.write('../outside.md', 'Outside of the workspace');
    place.write('a/b.md', 'Inside');
    symlinkSync(outside, path.join(place.workspace, 'away'));
    symlinkSync(path.join(place.workspace, '../outside.md'), path.join(place.workspace, 'link.md'));
    for (const way of ['away', 'link.md', 'a/../../outside.md'])
      expect(await place.refusal('rag_ingest', { path: way })).toMatch(/leads out of the workspace|no such file/);
  });

  test('the config and the folder of the gateway are protected', async () => {
    const place = await ragPlace({ config: { workspace: { root: '.' } } });
    place.write('../home/notes.md', 'Of the gateway');
    place.write('docs/a.md', 'A numbat');
    for (const way of ['viaduct.yaml', 'home/notes.md', 'home'])
      expect(await place.refusal('rag_ingest', { path: way })).toContain('is protected');
    const { errors } = await place.call('rag_ingest', { path: '.' });
    expect(errors).toEqual([expect.stringContaining('"home" is protected')]);
    const { results } = await place.call('rag_query', { question: 'numbat gateway', topK: 50 });
    expect(results.map(({ source }: any) => source)).toEqual(['workspace/docs/a.md']);
  });

  test('links in a folder are left out, also those that lead in a circle', async () => {
    const place = await ragPlace();
    place.write('docs/a.md', 'A numbat');
    symlinkSync('.', path.join(place.workspace, 'docs/loop'));
    symlinkSync('a.md', path.join(place.workspace, 'docs/b.md'));
    await place.call('rag_ingest', { path: 'docs' });
    const { results } = await place.call('rag_query', { question: 'numbat' });
    expect(results.map(({ source }: any) => source)).toEqual(['docs/a.md']);
  });

  test('sources are named from the workspace on, whatever the path was', async () => {
    const place = await ragPlace();
    place.write('docs/a.md', 'A numbat');
    for (const way of ['docs/a.md', './docs/../docs/a.md', path.join(place.workspace, 'docs/a.md'), 'docs'])
      await place.call('rag_ingest', { path: way });
    const { results } = await place.call('rag_query', { question: 'numbat' });
    expect(results.map(({ source }: any) => source)).toEqual(['docs/a.md']);
    expect(await place.call('rag_collections', { show_stats: true })).toMatchObject({
      collections: [{ points_count: 1 }],
    });
  });
});

test('clients that are limited to projects have no collections', async () => {
  const limited = tokenOf('limited', { projects: ['acme-*'] });
  const open = tokenOf('open');
  const folder = temporaryFolder();
  const config = writeConfig({
    enabledWorkflows: ['rag'],
    workspace: { root: folder },
    server: { tokens: [limited.entry, open.entry] },
  });
  const { url } = await openServe(config);
  const answerTo = async ({ headers }: typeof limited, name: string, args: object) => {
    const session = await HttpSession.open(url, {}, '2025-11-25', headers);
    const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
    return JSON.parse(body).result;
  };
  for (const [tool, args] of [
    ['rag_query', { question: 'anything' }],
    ['rag_ingest', { path: '.' }],
    ['rag_collections', {}],
  ] as const) {
    const { isError, content } = await answerTo(limited, tool, args);
    expect(isError).toBe(true);
    expect(content[0].text).toContain('may not use collections of documents');
  }
  expect((await answerTo(open, 'rag_collections', {})).structuredContent).toEqual({ collections: [] });
});
