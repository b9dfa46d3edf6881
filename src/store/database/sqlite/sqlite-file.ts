import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../../core/folders/make-folder.ts';
import { loadSqlite, type SqliteConnection } from './sqlite-module.ts';

/**
 * SQLite's own waiting stops the whole process, so it is short; `Database` waits longer, and lets others work meanwhile.
 */
const BUSY_MS = 3;
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

/**
 * Settings of one connection: commits do not wait for the disk, and the log grows longer. The file survives a power cut all the
 * same.
 */
const LAX = ['PRAGMA synchronous = NORMAL', `PRAGMA wal_autocheckpoint = ${LOG_PAGES * 5}`];

export interface OpenedFile {
  readonly connection: SqliteConnection;
  /** The file, or its disk, takes no writes now: what is in it can be read. */
  readonly isReadOnly: boolean;
}

/**
 * Opens a database file. If it exists and cannot be written (a full disk, a read-only home), it is opened for reading.
 * @throws the system's error, or SQLite's
 */
export async function openSqliteFile(file: string, isLax = false): Promise<OpenedFile> {
  try {
    return { connection: await openForWriting(file, isLax), isReadOnly: false };
  } catch (error) {
    const connection = existsSync(file) && isAboutWriting(error) ? await openForReading(file) : undefined;
    if (connection === undefined) throw error;
    return { connection, isReadOnly: true };
  }
}

/** Result codes of SQLite: read-only, input or output failed, full, cannot be opened (a file beside it, say). */
const ABOUT_WRITING: ReadonlySet<number> = new Set([8, 10, 13, 14]);
const SYSTEM_ABOUT_WRITING: ReadonlySet<string> = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EACCES', 'EPERM']);

function isAboutWriting(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return ABOUT_WRITING.has(errcode & 0xff);
  return typeof code === 'string' && (SYSTEM_ABOUT_WRITING.has(code) || code.startsWith('ERR_SQLITE'));
}

/**
 * Opens the database without its companion files, which could not be made; only if no write-ahead log has data that the
 * database itself lacks.
 */
async function openForReading(file: string): Promise<SqliteConnection | undefined> {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const { DatabaseSync } = await loadSqlite();
  const place = log === undefined || log.size === 0 ? `${pathToFileURL(file).href}?immutable=1` : file;
  const connection = new DatabaseSync(place, { readOnly: true, timeout: BUSY_MS });
  try {
    connection.prepare('SELECT count(*) FROM sqlite_master').get();
    return connection;
  } catch {
    // The reason why it cannot be written says more.
    connection.close();
    return undefined;
  }
}

/**
 * Opens a database file that only this user can read, and makes it and its folder if need be.
 * @throws the system's error, or SQLite's
 */
async function openForWriting(file: string, isLax: boolean): Promise<SqliteConnection> {
  const { DatabaseSync } = await loadSqlite();
  makeFolder(path.dirname(file), 0o700);
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
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

/** Tells one file from another at the same place; `undefined` if there is none. */
export function identityOfFile(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
