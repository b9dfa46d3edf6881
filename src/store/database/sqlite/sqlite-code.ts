import { existsSync } from 'node:fs';
import { Kysely } from 'kysely';
import { databaseFile } from '../engines/database-file.ts';
import type { EngineCode } from '../engines/manifest.ts';
import { checkShape } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { openSqlite } from './sqlite-engine.ts';
import { sqliteFaults } from './sqlite-faults.ts';
import { loadSqlite } from './sqlite-module.ts';

export const sqliteCode: EngineCode = {
  open: ({ home }, isLax) => openSqlite(databaseFile(home), isLax),
  async look({ home }) {
    const file = databaseFile(home);
    if (!existsSync(file)) return false;
    const { DatabaseSync } = await loadSqlite();
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(file, { readOnly: true })) });
    await checkShape(db, 'sqlite').finally(() => db.destroy());
    return true;
  },
  faultsOf: sqliteFaults,
};
