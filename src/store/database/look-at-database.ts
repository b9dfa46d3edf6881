import { existsSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import { FILE_NAME } from './database.ts';
import { checkShape } from './migrations.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { loadSqlite } from './sqlite-module.ts';
import { storeFailure } from './store-errors.ts';
import type { Tables } from './tables.ts';

/**
 * Looks whether this build can work with the database file in a home, and changes nothing in it.
 * @returns the file; `undefined` where there is none yet
 * @throws GatewayError that says what is wrong with it: it is damaged, cannot be read, or a newer build has made it
 */
export async function lookAtDatabase(home: string): Promise<string | undefined> {
  const file = path.join(home, FILE_NAME);
  if (!existsSync(file)) return undefined;
  try {
    const { DatabaseSync } = await loadSqlite();
    const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(file, { readOnly: true })) });
    await checkShape(db, 'sqlite').finally(() => db.destroy());
    return file;
  } catch (error) {
    throw storeFailure(error, file)?.error ?? error;
  }
}
