import { afterAll, afterEach, beforeAll } from 'vitest';
import { newChunks, tagsOf } from '../../../src/knowledge/index/texts/new-chunks.ts';
import type { KnowledgeStore } from '../../../src/store/knowledge/knowledge-store.ts';
import { openKnowledgeStore } from '../../../src/store/knowledge/open-knowledge-store.ts';
import type { NewSource } from '../../../src/store/knowledge/rows.ts';
import { temporaryFolder } from '../gateway.ts';
import type { Kind } from '../stores/databases.ts';
import { startPostgres, type TestPostgres } from '../stores/postgres.ts';

/** Stores of the index, several on one database, that are closed after the test. */
export function knowledgeStoresIn(kind: Kind) {
  let server: TestPostgres | undefined;
  const opened: KnowledgeStore[] = [];
  beforeAll(async () => {
    if (kind === 'PostgreSQL') server = await startPostgres();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(() => server?.stop());
  return {
    /** Skips the test where there is no such database. */
    open: async (skip: () => never, count = 1): Promise<readonly KnowledgeStore[]> => {
      if (kind === 'PostgreSQL' && server === undefined) return skip();
      const place = { home: temporaryFolder(), url: await server?.newDatabase(), machine: 'one' };
      for (let at = 0; at < count; at++) opened.push(await openKnowledgeStore(place));
      return opened.slice(-count);
    },
  };
}

/** A file of one chunk. */
export function sourceOf(path: string, text: string): NewSource {
  const chunk = {
    text,
    startLine: 1,
    endLine: text.split('\n').length,
    kind: 'block' as const,
    symbol: '',
    defines: [],
  };
  return {
    path,
    hash: `1:${text}`,
    size: text.length,
    mtimeMs: 1,
    ino: 1,
    tags: tagsOf(path),
    chunks: newChunks([chunk]),
  };
}
