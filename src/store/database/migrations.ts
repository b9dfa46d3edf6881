import { type Kysely, sql } from 'kysely';
import { GatewayError } from '../../core/errors.ts';
import type { EngineKind, Queries } from './tables.ts';

/** Migrations know nothing of today's tables. */
// biome-ignore lint/suspicious/noExplicitAny: so says Kysely, which infers no table from it
type AnyTables = Kysely<any>;

type Migration = (db: AnyTables, kind: EngineKind) => Promise<void>;

/** The migrations in order. They are never changed once released: a database remembers how many of them it has had. */
const MIGRATIONS: readonly Migration[] = [
  createCheckpointTables,
  createEvents,
  createWorkspaceChanges,
  addMachineToChanges,
  addMachineToEvents,
  createProjectTasks,
  createIdeTables,
  indexAuditFiles,
  separateCheckpointBodies,
];

/** Any number; the same for all processes that open a PostgreSQL database for us. */
const POSTGRES_LOCK = 715_311_415;

/**
 * Brings a database to the shape that this build works with. Of several processes that do so at once, one does it.
 * @throws GatewayError if a newer build has made the database
 */
export async function migrate(db: Queries, kind: EngineKind): Promise<void> {
  if ((await versionOf(db, kind)) === MIGRATIONS.length) return;
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(POSTGRES_LOCK)})`.execute(transaction);
    await sql`create table if not exists viaduct_schema (version integer not null)`.execute(transaction);
    const version = await readVersion(transaction);
    if (version > MIGRATIONS.length) throw tooNew(version);
    for (const step of MIGRATIONS.slice(version)) await step(transaction, kind);
    await sql`delete from viaduct_schema`.execute(transaction);
    await sql`insert into viaduct_schema (version) values (${sql.lit(MIGRATIONS.length)})`.execute(transaction);
  });
}

/**
 * Looks at a database and changes nothing in it.
 * @throws GatewayError if a newer build has made it
 */
export async function checkShape(db: Queries, kind: EngineKind): Promise<void> {
  const version = await versionOf(db, kind);
  if (version > MIGRATIONS.length) throw tooNew(version);
}

/** 0 for a database that was never ours. */
async function versionOf(db: Queries, kind: EngineKind): Promise<number> {
  const found =
    kind === 'sqlite'
      ? await sql`select 1 from sqlite_master where type = 'table' and name = 'viaduct_schema'`.execute(db)
      : await sql`select 1 where to_regclass('viaduct_schema') is not null`.execute(db);
  return found.rows.length === 0 ? 0 : readVersion(db);
}

async function readVersion(db: Queries): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from viaduct_schema`.execute(db);
  return rows[0]?.version ?? 0;
}

function tooNew(version: number): GatewayError {
  const message = `The database was made by a newer Viaduct (its shape is ${version}, this one knows ${MIGRATIONS.length}): update Viaduct`;
  return new GatewayError('STORE_UNAVAILABLE', message, { effect: 'none' });
}

async function createCheckpointTables(db: AnyTables, kind: EngineKind): Promise<void> {
  const bytes = kind === 'sqlite' ? sql`blob` : sql`bytea`;
  await db.schema
    .createTable('checkpoint_heads')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('source_ide', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('body', bytes, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('checkpoint_revisions')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('source_ide', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('body', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('checkpoint_revisions_key', ['project_id', 'revision'])
    .execute();
  await db.schema
    .createTable('checkpoint_identities')
    .addColumn('folder_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  if (kind === 'sqlite') await createChanges(db);
}

/** PostgreSQL reports changes itself. */
async function createChanges(db: AnyTables): Promise<void> {
  await db.schema
    .createTable('checkpoint_changes')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('checkpoint_changes_seq').on('checkpoint_changes').column('seq').execute();
}

async function createEvents(db: AnyTables, kind: EngineKind): Promise<void> {
  await db.schema
    .createTable('events')
    // SQLite counts such a column up by itself.
    .addColumn('id', kind === 'sqlite' ? 'integer' : 'bigserial', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('agent', 'text')
    .addColumn('repo', 'text')
    .addColumn('session', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('key', 'text')
    .execute();
  // Ends with what events are counted by, so that counting reads no rows.
  const counted = ['kind', 'at_ms', 'id', 'type', 'repo', 'agent'] as const;
  await db.schema
    .createIndex('events_at')
    .on('events')
    .columns([...counted])
    .execute();
  await db.schema.createIndex('events_key').on('events').column('key').unique().where('key', 'is not', null).execute();
}

async function createWorkspaceChanges(db: AnyTables, kind: EngineKind): Promise<void> {
  const isSqlite = kind === 'sqlite';
  await db.schema
    .createTable('workspace_changes')
    .addColumn('id', isSqlite ? 'integer' : 'bigint', (column) =>
      // Numbers are never used again, so that no other change than the one that was seen is undone.
      isSqlite ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
    )
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('client', 'text')
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('roots', 'text', (column) => column.notNull())
    .addColumn('parts', 'text', (column) => column.notNull())
    .addColumn('undoes', 'bigint')
    .addColumn('size', 'integer', (column) => column.notNull())
    // This column is last, so that reading the other columns does not read through it.
    .addColumn('bytes', isSqlite ? sql`blob` : sql`bytea`)
    .execute();
  // The total size is read with each change.
  await db.schema.createIndex('workspace_changes_size').on('workspace_changes').column('size').execute();
}

async function addMachineToChanges(db: AnyTables, kind: EngineKind): Promise<void> {
  if (kind === 'sqlite') await rebuildChanges(db);
  else {
    const table = db.schema.alterTable('workspace_changes');
    await table.addColumn('machine', 'text').addColumn('host', 'text').execute();
    await db.schema.dropIndex('workspace_changes_size').execute();
  }
  // The total size for one machine is read with each change.
  await db.schema.createIndex('workspace_changes_size').on('workspace_changes').columns(['machine', 'size']).execute();
}

/** A column that SQLite adds comes last, and reading it reads through the bytes before it. */
async function rebuildChanges(db: AnyTables): Promise<void> {
  await sql`alter table workspace_changes rename to workspace_changes_before`.execute(db);
  await sql`drop index workspace_changes_size`.execute(db);
  await sql`create table workspace_changes (
    id integer primary key autoincrement, at_ms bigint not null, state text not null, session text not null,
    client text, machine text, host text, tool text not null, roots text not null, parts text not null,
    undoes bigint, size integer not null, bytes blob
  )`.execute(db);
  await sql`insert into workspace_changes
    select id, at_ms, state, session, client, null, null, tool, roots, parts, undoes, size, bytes
    from workspace_changes_before`.execute(db);
  // Numbers are never used again, those of changes that are gone included.
  await sql`delete from sqlite_sequence where name = 'workspace_changes'`.execute(db);
  await sql`update sqlite_sequence set name = 'workspace_changes' where name = 'workspace_changes_before'`.execute(db);
  await sql`drop table workspace_changes_before`.execute(db);
}

async function addMachineToEvents(db: AnyTables, kind: EngineKind): Promise<void> {
  await db.schema.alterTable('events').addColumn('machine', 'text').execute();
  if (kind === 'sqlite') return;
  // PostgreSQL takes at most 2,704 bytes into a row of an index, and peers choose the texts: an event with longer ones
  // could not be added, nor could those that are added with it.
  await db.schema.dropIndex('events_at').execute();
  await db.schema.createIndex('events_at').on('events').columns(['kind', 'at_ms', 'id']).execute();
  // Each machine removes its own old events among those of all others.
  await db.schema.createIndex('events_machine').on('events').columns(['kind', 'machine', 'at_ms']).execute();
}

async function createProjectTasks(db: AnyTables, kind: EngineKind): Promise<void> {
  const isSqlite = kind === 'sqlite';
  await db.schema
    .createTable('project_tasks')
    // Tells which of two tasks of one millisecond came later.
    .addColumn('seq', isSqlite ? 'integer' : 'bigint', (column) =>
      isSqlite ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .addColumn('branch', 'text')
    .addColumn('commit_hash', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('notes', 'text')
    .execute();
  await db.schema
    .createIndex('project_tasks_created')
    .on('project_tasks')
    .columns(['project_id', 'created_ms', 'seq'])
    .execute();
  await createTaskParts(db);
}

async function createIdeTables(db: AnyTables, kind: EngineKind): Promise<void> {
  await db.schema
    .createTable('ide_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .addColumn('answerer', 'text')
    .addColumn('answering_ms', 'bigint')
    .execute();
  await db.schema
    .createIndex('ide_sessions_project')
    .on('ide_sessions')
    .columns(['project_id', 'created_ms'])
    .execute();
  await numbered(db, kind, 'ide_messages')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('author', 'text')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('ide_messages_session').on('ide_messages').columns(['session_id', 'seq']).execute();
  // The dashboard counts the messages of the last hours.
  await db.schema.createIndex('ide_messages_at').on('ide_messages').column('at_ms').execute();
  await createBuilds(db, kind);
}

async function createBuilds(db: AnyTables, kind: EngineKind): Promise<void> {
  await numbered(db, kind, 'builds')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('project_id', 'text')
    .addColumn('repo', 'text', (column) => column.notNull())
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('command', 'text', (column) => column.notNull())
    .addColumn('runner', 'text')
    .addColumn('machine', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('exit_code', 'integer')
    .addColumn('started_ms', 'bigint', (column) => column.notNull())
    .addColumn('ended_ms', 'bigint')
    .addColumn('log_fault', 'text')
    .execute();
  await db.schema.createIndex('builds_started').on('builds').columns(['project_id', 'started_ms']).execute();
}

/** Calls get columns for the filters of `viaduct audit`, and each file of the audit a row that says how far it is indexed. */
async function indexAuditFiles(db: AnyTables, kind: EngineKind): Promise<void> {
  await db.schema
    .createTable('audit_files')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('machine', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('indexed_to', 'bigint', (column) => column.notNull())
    .execute();
  for (const column of ['level', 'outcome']) await db.schema.alterTable('events').addColumn(column, 'text').execute();
  const member = (name: string) =>
    kind === 'sqlite' ? sql`body ->> ${sql.lit(name)}` : sql`body::json ->> ${sql.lit(name)}`;
  await sql`update events set level = ${member('level')}, outcome = ${member('outcome')} where kind = 'audit'`.execute(
    db,
  );
  if (kind === 'sqlite') {
    // All that calls are filtered by, so that a filter reads rows only of the calls that it finds.
    await db.schema.dropIndex('events_at').execute();
    const columns = ['kind', 'at_ms', 'id', 'type', 'repo', 'agent', 'session', 'level', 'outcome'] as const;
    await db.schema
      .createIndex('events_at')
      .on('events')
      .columns([...columns])
      .execute();
    return;
  }
  // An index by hash takes texts of any length.
  await sql`create index events_type on events using hash (type)`.execute(db);
  await sql`create index events_failed on events (at_ms, id) where kind = 'audit' and outcome <> 'ok'`.execute(db);
}

/**
 * Appends no longer write whole bundles. The column `body` goes, so that gateways of earlier builds that still run fail, and
 * do not write over additions that they know nothing of.
 */
async function separateCheckpointBodies(db: AnyTables, kind: EngineKind): Promise<void> {
  await db.schema
    .createTable('checkpoint_bodies')
    .addColumn('project_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('body', kind === 'sqlite' ? sql`blob` : sql`bytea`, (column) => column.notNull())
    .execute();
  await sql`insert into checkpoint_bodies (project_id, revision, token, body)
    select project_id, revision, token, body from checkpoint_heads`.execute(db);
  await db.schema.alterTable('checkpoint_heads').dropColumn('body').execute();
  await db.schema.alterTable('checkpoint_heads').addColumn('outline', 'text').execute();
  await db.schema
    .createTable('checkpoint_additions')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('checkpoint_additions_key', ['project_id', 'revision'])
    .execute();
}

/** A table whose rows have ascending numbers, which are never given twice. */
function numbered(db: AnyTables, kind: EngineKind, table: string) {
  const isSqlite = kind === 'sqlite';
  return db.schema
    .createTable(table)
    .addColumn('seq', isSqlite ? 'integer' : 'bigint', (column) =>
      isSqlite ? column.primaryKey().autoIncrement() : column.generatedAlwaysAsIdentity().primaryKey(),
    );
}

async function createTaskParts(db: AnyTables): Promise<void> {
  await db.schema
    .createTable('project_task_links')
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_task_links_key', ['task_id', 'kind', 'value'])
    .execute();
  await db.schema
    .createTable('project_task_history')
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('from_status', 'text')
    .addColumn('to_status', 'text', (column) => column.notNull())
    .addColumn('changed_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_task_history_key', ['task_id', 'place'])
    .execute();
}
