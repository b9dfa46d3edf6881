import { setImmediate as nextTurn } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { migrate } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { identityOfFile, openSqliteFile } from './sqlite-file.ts';
import type { SqliteConnection } from './sqlite-module.ts';

/** The longest that a change of another process may go unnoticed. A look costs some microseconds. */
const LOOK_EVERY_MS = 300;
/** A database that could not be opened for writing is opened again after this, at its next use. */
const TRY_TO_WRITE_AGAIN_MS = 2_000;
/** Given back in one step, which takes some milliseconds. */
const PAGES_AT_ONCE = 256;

/** @throws the system's error, or SQLite's */
export async function openSqlite(file: string, isLax = false): Promise<Engine> {
  const { connection, isReadOnly } = await openSqliteFile(file, isLax);
  const queries = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  try {
    await migrate(queries, 'sqlite');
  } catch (error) {
    await queries.destroy();
    throw error;
  }
  const identity = identityOfFile(file);
  const openedAt = performance.now();
  // The disk may have room again by then.
  const isOutdated = () => isReadOnly && performance.now() - openedAt > TRY_TO_WRITE_AGAIN_MS;
  return {
    kind: 'sqlite',
    queries,
    isStale: () => identityOfFile(file) !== identity || isOutdated(),
    watch: (onWake) => watchVersion(connection, onWake),
    announce: async () => undefined,
    shrink: (callOff) => shrink(queries, callOff),
    close: () => queries.destroy(),
  };
}

/** Gives unused room back, some at a time: SQLite works in the gateway's own thread. */
async function shrink(queries: Kysely<Tables>, callOff: AbortSignal | undefined): Promise<void> {
  const unused = async () => {
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(queries);
    return rows[0]?.freelist_count ?? 0;
  };
  // Until nothing is left, or nothing goes: a file of before `auto_vacuum` keeps what it has.
  for (let before = Number.POSITIVE_INFINITY, left = await unused(); left > 0 && left < before; ) {
    if (callOff?.aborted === true) return;
    await sql`pragma incremental_vacuum(${sql.lit(PAGES_AT_ONCE)})`.execute(queries);
    await nextTurn();
    [before, left] = [left, await unused()];
  }
}

/** SQLite's number of its data changes with each commit of another connection, never with our own. */
function watchVersion(connection: SqliteConnection, onWake: () => void): () => void {
  const statement = connection.prepare('PRAGMA data_version');
  const look = (): unknown => (statement.get() as { data_version?: unknown }).data_version;
  let seen = look();
  const timer = setInterval(() => {
    if (!connection.isOpen) return;
    try {
      const version = look();
      if (version === seen) return;
      seen = version;
    } catch {
      // The next reader gets the error, and can report it.
      return;
    }
    onWake();
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
