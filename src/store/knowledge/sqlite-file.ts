import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { GatewayError } from '../../core/errors.ts';
import { makeFolder } from '../../core/folders/make-folder.ts';
import { makePrivate } from '../database/sqlite/sqlite-file.ts';
import { loadSqlite, type SqliteConnection } from '../database/sqlite/sqlite-module.ts';
import { SQLITE_TABLES, VERSION } from './sqlite-tables.ts';

/** The longest time that waiting may block this thread, which is a worker's, in milliseconds. */
const BUSY_MS = 1_000;
/** Commits survive the end of the process. A power cut may lose the last of them, which are indexed again. */
const PRAGMAS = [
  'PRAGMA auto_vacuum = INCREMENTAL',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA journal_size_limit = 16777216',
  'PRAGMA cache_size = -8000',
];
/** SQLite's codes for a file that is damaged, and for one that is no database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/**
 * Opens the file of the index, and creates it if needed. A damaged file is moved aside: repositories are indexed again,
 * and the user's collections are not deleted.
 * @throws the system's error, or SQLite's
 */
export async function openKnowledgeFile(file: string): Promise<SqliteConnection> {
  try {
    return await open(file);
  } catch (thrown) {
    const { errcode } = thrown as { errcode?: unknown };
    if (typeof errcode !== 'number' || !DAMAGED.has(errcode & 0xff)) throw thrown;
    moveAside(file);
    return open(file);
  }
}

async function open(file: string): Promise<SqliteConnection> {
  const { DatabaseSync } = await loadSqlite();
  makeFolder(path.dirname(file), 0o700);
  makePrivate(file);
  const connection = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    for (const pragma of PRAGMAS) connection.exec(pragma);
    makeTables(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function makeTables(connection: SqliteConnection): void {
  if (versionOf(connection) === VERSION) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = versionOf(connection);
    if (version > VERSION) throw tooNew(version);
    if (version === 0) for (const statement of SQLITE_TABLES) connection.exec(statement);
    connection.exec(`PRAGMA user_version = ${VERSION}`);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(connection: SqliteConnection): number {
  return (connection.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

export function tooNew(version: number): GatewayError {
  const message = `The index was made by a newer Viaduct (its shape is ${version}, this one knows ${VERSION}): update Viaduct`;
  return new GatewayError('STORE_UNAVAILABLE', message, { effect: 'none' });
}

function moveAside(file: string): void {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`);
}
