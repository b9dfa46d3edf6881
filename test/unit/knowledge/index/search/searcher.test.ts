import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { candidateOf } from '../../../../../src/knowledge/index/search/chunk-candidate.ts';
import type { Hybrid } from '../../../../../src/knowledge/index/search/hybrid.ts';
import { Searcher } from '../../../../../src/knowledge/index/search/searcher.ts';
import type { NewSource } from '../../../../../src/store/knowledge/rows.ts';
import { folderWith } from '../../../../support/knowledge/knowledge.ts';
import { knowledgeStoresIn, sourceOf } from '../../../../support/knowledge/knowledge-store.ts';

const stores = knowledgeStoresIn('SQLite');

test('knows a chunk for old whose file was read again during the search', async () => {
  const [store, other] = await stores.open(() => {
    throw new Error('SQLite is always there');
  }, 2);
  const root = folderWith({ 'a.ts': 'an otter' });
  const { mtimeMs, size, ino } = statSync(path.join(root, 'a.ts'));
  const asNow = (source: NewSource): NewSource => ({ ...source, mtimeMs, size, ino });
  const { space } = await store!.spaces.make('repository', root, 'one');
  await store!.write(space, [asNow(sourceOf('a.ts', 'a walrus'))]);
  const search = (fuse: Hybrid['fuse']) =>
    new Searcher(store!, { fuse } as Hybrid).search(
      { query: 'walrus', spaces: [root], limit: 10 },
      new AbortController().signal,
    );
  const fused: Hybrid['fuse'] = async (_query, _spaces, _search, lexical) => ({
    candidates: lexical.map(({ row, bm25 }) => candidateOf(row, bm25)),
    mode: 'hybrid',
    notes: [],
  });
  expect((await search(fused)).stale).toEqual([]);
  const { stale, results } = await search(async (...asked) => {
    await other!.write(space, [asNow(sourceOf('a.ts', 'an otter'))]);
    return fused(...asked);
  });
  expect(results).toHaveLength(1);
  expect(stale).toEqual([{ root, repositoryId: space.id, path: 'a.ts' }]);
});
