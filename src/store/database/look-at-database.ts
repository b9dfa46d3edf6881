import { existsSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import { shownPlace } from '../../core/addresses/shown-place.ts';
import { FILE_NAME } from './database.ts';
import { checkShape } from './migrations.ts';
import { sqliteDialect } from './sqlite/sqlite-dialect.ts';
import { loadSqlite } from './sqlite/sqlite-module.ts';
import { storeError } from './store-errors.ts';
import type { Tables } from './tables.ts';

/** The longest time to wait for a server to look at it, in seconds. */
const CONNECT_WITHIN_S = 5;

/**
 * Looks whether this build can work with the PostgreSQL database of a url, and changes nothing in it.
 * @returns its place, without secrets
 * @throws GatewayError that says what is wrong with it: it cannot be reached, refuses the user, or a newer build has made it
 */
export async function lookAtPostgres(url: string): Promise<string> {
  const place = shownPlace(url);
  const { connectPostgres } = await import('./postgres/connect-postgres.ts');
  const { queries, end } = connectPostgres(url, { max: 1, connect_timeout: CONNECT_WITHIN_S });
  try {
    await checkShape(queries, 'postgres');
    return place;
  } catch (error) {
    throw storeError(error, place);
  } finally {
    await end();
  }
}

/**
 * Looks whether this build can work with the database file in a home, and changes nothing in it.
 * @returns the file; `undefined` if there is none yet
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
    throw storeError(error, file);
  }
}
