import { databaseFile } from './database-file.ts';
import type { EngineManifest } from './manifest.ts';

export const sqlite: EngineManifest = {
  name: 'SQLite',
  shownPlace: ({ home }) => databaseFile(home),
  load: async () => (await import('../sqlite/sqlite-code.ts')).sqliteCode,
  async openKnowledge({ home }) {
    const { openSqliteSql } = await import('../../knowledge/sqlite-sql.ts');
    const { sqliteTerms } = await import('../../knowledge/sqlite-terms.ts');
    return { sql: await openSqliteSql(home), terms: sqliteTerms };
  },
};
