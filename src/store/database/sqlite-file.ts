import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import { loadSqlite, type SqliteConnection } from './sqlite-module.ts';

/**
 * SQLite's own waiting stops the whole process, so it is short; `Database` waits longer, and lets others work meanwhile.
 */
const BUSY_MS = 20;
/** Pages in the write-ahead log after which it is put into the file: 200 of them are 800 KB. */
const LOG_PAGES = 200;

/** WAL and FULL: what was committed survives the end of this process and a power cut. */
const PRAGMAS = [
  'PRAGMA auto_vacuum = INCREMENTAL',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  `PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
  `PRAGMA journal_size_limit = ${LOG_PAGES * 4096}`,
  'PRAGMA secure_delete = FAST',
];

/** What holds for one connection alone: commits do not wait for the disk, and the log grows longer. The file is as sound as ever after a power cut. */
const LAX = ['PRAGMA synchronous = NORMAL', `PRAGMA wal_autocheckpoint = ${LOG_PAGES * 5}`];

/**
 * Opens a database file that only this user can read, and makes it and its folder if need be.
 * @throws the system's error, or SQLite's
 */
export async function openSqliteFile(file: string, isLax = false): Promise<SqliteConnection> {
  const { DatabaseSync } = await loadSqlite();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  makePrivate(file);
  const connection = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    for (const pragma of isLax ? [...PRAGMAS, ...LAX] : PRAGMAS) connection.exec(pragma);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * SQLite gives its further files the mode of the first. A file that is there already is not opened: closing it would
 * end the locks that this process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

/** Tells one file from another at the same place; `undefined` where there is none. */
export function identityOfFile(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
