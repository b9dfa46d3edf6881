import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Knowledge, KnowledgeOptions } from '../../../src/knowledge/index/knowledge.ts';
import { openKnowledge } from '../../../src/knowledge/index/open-knowledge.ts';
import { temporaryFolder } from '../gateway.ts';
import type { Place } from '../stores/checkpoint-writers.ts';
import type { Kind } from '../stores/databases.ts';
import { startPostgres, type TestPostgres } from '../stores/postgres.ts';

/** Places of a kind, and indexes in them that are closed after the test. */
export function knowledgeIn(kind: Kind) {
  let server: TestPostgres | undefined;
  const opened: Knowledge[] = [];
  beforeAll(async () => {
    if (kind === 'PostgreSQL') server = await startPostgres();
  });
  afterEach(async () => {
    for (const knowledge of opened.splice(0)) await knowledge.close();
  });
  afterAll(() => server?.stop());
  return {
    /** Skips the test where there is no such database. */
    newPlace: async (skip: () => never): Promise<Place> => {
      if (kind === 'SQLite') return { home: temporaryFolder() };
      if (server === undefined) return skip();
      return { home: temporaryFolder(), url: await server.newDatabase() };
    },
    open: (place: Place, options: Omit<KnowledgeOptions, 'home' | 'url'> = {}): Knowledge => {
      const knowledge = openKnowledge({ ...place, ...options });
      opened.push(knowledge);
      return knowledge;
    },
  };
}

/** A folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  for (const [file, text] of Object.entries(files)) {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return folder;
}
