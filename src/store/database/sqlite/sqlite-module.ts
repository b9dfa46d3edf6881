import type { DatabaseSyncInstance, DatabaseSyncOptions, StatementSyncInstance } from '@photostructure/sqlite';

export type SqliteConnection = DatabaseSyncInstance;
export type SqliteStatement = StatementSyncInstance;

export interface SqliteModule {
  readonly DatabaseSync: new (location: string, options?: DatabaseSyncOptions) => SqliteConnection;
}

/**
 * Returns true if closing a connection also ends its prepared statements. The package leaves that to the garbage collector, and
 * SQLite keeps a connection open until its last statement has ended.
 */
export const closeEndsStatements = (): boolean => ownSqlite() !== undefined;

/** Node's own SQLite where it has one (22.13 and later), else the package with the same interface. */
export async function loadSqlite(): Promise<SqliteModule> {
  return ownSqlite() ?? (await import('@photostructure/sqlite'));
}

/** Versions of Node that have it behind a flag, or not at all, have none for us. */
function ownSqlite(): SqliteModule | undefined {
  const emitWarning = Object.getOwnPropertyDescriptor(process, 'emitWarning')!;
  // It says that it is experimental, once, on the terminal of a user who has not chosen it.
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined;
  } catch {
    return undefined;
  } finally {
    Object.defineProperty(process, 'emitWarning', emitWarning);
  }
}
