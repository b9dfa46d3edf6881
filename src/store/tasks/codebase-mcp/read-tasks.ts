import type postgres from 'postgres';
import { parsePostgresUrl } from '../../../core/addresses/postgres-url.ts';
import { shownPlace } from '../../../core/addresses/shown-place.ts';
import { GatewayError } from '../../../core/errors.ts';
import { postgresFaults } from '../../database/postgres/postgres-faults.ts';
import { postgresPool } from '../../database/postgres/postgres-pool.ts';
import { storeError } from '../../database/store-errors.ts';

const BATCH = 100;
/** Tables of what belongs to tasks. */
const PARTS = {
  references: 'task_planning_references',
  branches: 'task_branch_links',
  commits: 'task_commit_links',
  history: 'task_status_history',
} as const;

/** A row of a table as PostgreSQL writes it as JSON: its columns are not the same in all versions of codebase-mcp. */
export type Row = Readonly<Record<string, unknown>>;

/** A task with what belongs to it, in no order. */
export interface ForeignTask extends Readonly<Record<keyof typeof PARTS, readonly Row[]>> {
  readonly task: Row;
}

/**
 * Reads the tasks in a database of codebase-mcp, some at a time and all of one state, those that were created first first.
 * Changes nothing in it.
 * @throws GatewayError when it cannot be read, or is none of codebase-mcp; what `onTasks` throws passes
 */
export async function readForeignTasks(
  url: string,
  onTasks: (tasks: readonly ForeignTask[]) => Promise<void>,
): Promise<void> {
  if (parsePostgresUrl(url) === undefined) throw unreadable(NO_URL);
  const connection = postgresPool(url, { max: 1, idle_timeout: 0 });
  try {
    await connection.begin('isolation level repeatable read read only', (sql) =>
      readAll(sql, shownPlace(url), onTasks),
    );
  } catch (error) {
    throw storeError(error, shownPlace(url), postgresFaults);
  } finally {
    await connection.end({ timeout: 1 });
  }
}

async function readAll(
  sql: postgres.TransactionSql,
  place: string,
  onTasks: (tasks: readonly ForeignTask[]) => Promise<void>,
): Promise<void> {
  if (!(await isThere(sql, 'tasks'))) throw unreadable(`${place} has no table "tasks": is it codebase-mcp's?`);
  const ids = await sql<{ id: string }[]>`select id::text as id from tasks order by created_at, id`;
  const parts = await partsThere(sql);
  for (let from = 0; from < ids.length; from += BATCH) {
    const wanted = ids.slice(from, from + BATCH).map(({ id }) => id);
    await onTasks(await readSome(sql, parts, wanted));
  }
}

type PartName = keyof typeof PARTS;

async function partsThere(sql: postgres.TransactionSql): Promise<PartName[]> {
  const there: PartName[] = [];
  for (const [part, table] of Object.entries(PARTS)) if (await isThere(sql, table)) there.push(part as PartName);
  return there;
}

async function isThere(sql: postgres.TransactionSql, table: string): Promise<boolean> {
  return (await sql`select 1 where to_regclass(${table}) is not null`).length > 0;
}

async function readSome(
  sql: postgres.TransactionSql,
  parts: readonly PartName[],
  ids: string[],
): Promise<ForeignTask[]> {
  const tasks = await rowsIn(sql, { table: 'tasks', key: 'id', ids });
  const rows = { references: [], branches: [], commits: [], history: [] } as Record<PartName, readonly Row[]>;
  for (const part of parts) rows[part] = await rowsIn(sql, { table: PARTS[part], key: 'task_id', ids });
  const byId = new Map(tasks.map((task) => [String(task.id), task]));
  return ids.flatMap((id) => {
    const task = byId.get(id);
    const of = (part: PartName) => rows[part].filter(({ task_id }) => task_id === id);
    if (task === undefined) return [];
    return [
      { task, references: of('references'), branches: of('branches'), commits: of('commits'), history: of('history') },
    ];
  });
}

/** Reads all columns as text: the driver would read times without a zone as this machine's local times. */
async function rowsIn(
  sql: postgres.TransactionSql,
  { table, key, ids }: { readonly table: string; readonly key: string; readonly ids: string[] },
): Promise<Row[]> {
  const rows = await sql<{ json: string }[]>`
    select to_jsonb(of_table)::text as json from ${sql(table)} as of_table
    where ${sql(key)}::text in ${sql(ids)}`;
  return rows.map(({ json }) => JSON.parse(json) as Row);
}

function unreadable(message: string): GatewayError {
  return new GatewayError('STORE_UNAVAILABLE', message, { effect: 'none' });
}

const NO_URL =
  'The url of the database to import from cannot be read: write postgres://USER:PASSWORD@HOST:PORT/DATABASE';
