import path from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { openSqliteFile } from '../../../src/store/database/sqlite/sqlite-file.ts';
import { temporaryFolder } from '../gateway.ts';
import type { Place } from './checkpoint-writers.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

export const KINDS = ['SQLite', 'PostgreSQL'] as const;
export type Kind = (typeof KINDS)[number];

/** Statements that make of a database one from before additions to bundles had rows of their own. */
export const BEFORE_ADDITIONS = [
  'drop table checkpoint_additions',
  'alter table checkpoint_heads drop column outline',

  'alter table checkpoint_heads add column body bytea',
  'update checkpoint_heads set body = (select body from checkpoint_bodies as b where b.project_id = checkpoint_heads.project_id)',
  'drop table checkpoint_bodies',
];

/** Statements that make of a database one from before files of the audit were indexed. */
const BEFORE_AUDIT_FILES = [
  ...BEFORE_ADDITIONS,
  'drop table audit_files',
  'drop index events_at',
  'drop index if exists events_type',
  'drop index if exists events_failed',
  'alter table events drop column level',
  'alter table events drop column outcome',
  'create index events_at on events (kind, at_ms, id)',
];

const TABLES_SINCE_TASKS = [
  'builds',
  'ide_messages',
  'ide_sessions',
  'project_tasks',
  'project_task_links',
  'project_task_history',
];

/** Statements that make of a database one from before projects had tasks, and all that came after them. */
export const BEFORE_TASKS = [...BEFORE_AUDIT_FILES, ...TABLES_SINCE_TASKS.map((table) => `drop table ${table}`)];

interface Closing {
  close(): Promise<void>;
}

/** Places of a kind, and databases in them that are closed after the test, after the stores that use them. */
export function databases(kind: Kind) {
  let server: TestPostgres | undefined;
  const opened: { readonly store: Closing; readonly database: Database }[] = [];

  beforeAll(async () => {
    if (kind === 'PostgreSQL') server = await startPostgres();
  });
  afterEach(async () => {
    for (const { store, database } of opened.splice(0)) {
      await store.close();
      await database.close();
    }
  });
  afterAll(() => server?.stop());

  return {
    /** Skips the test where there is no such database. */
    newPlace: async (skip: () => never): Promise<Place> => {
      if (kind === 'SQLite') return { home: temporaryFolder() };
      if (server === undefined) return skip();
      return { home: temporaryFolder(), url: await server.newDatabase() };
    },
    open: <Store extends Closing>(place: Place, openStore: (database: Database) => Store) => {
      const database = openDatabase(place);
      const store = openStore(database);
      opened.push({ store, database });
      return { store, database };
    },
  };
}

/** Runs statements of SQL in a database, past the stores. */
export async function executeIn({ home, url }: Place, statements: readonly string[]): Promise<void> {
  if (url === undefined) {
    const { connection } = await openSqliteFile(path.join(home, 'viaduct.db'));
    for (const statement of statements) connection.exec(statement);
    connection.close();
    return;
  }
  const connection = postgres(url, { max: 1 });
  for (const statement of statements) await connection.unsafe(statement);
  await connection.end();
}
