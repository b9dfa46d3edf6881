import { type KnowledgeSql, one } from './sql.ts';
import { tooNew } from './sqlite-file.ts';
import { VERSION } from './sqlite-tables.ts';

/** Any number; the same for all processes that open a PostgreSQL database for us. */
const LOCK = 715_311_418;

/** As those of SQLite; the terms of a chunk stand beside it. */
const TABLES: readonly string[] = [
  `create table knowledge_spaces (
    number bigint generated always as identity primary key, id text not null unique, kind text not null,
    machine text not null, place_key text not null, place text not null, name text not null, form integer not null,
    files integer not null default 0, chunks integer not null default 0, terms bigint not null default 0, entries bigint not null default 0,
    created_at text not null, indexed_at text, run_owner text, run_at_ms bigint, run_progress text,
    unique (kind, machine, place_key))`,
  `create table knowledge_sources (
    number bigint generated always as identity primary key, space bigint not null, path_key text not null,
    path text not null, hash text not null, size bigint not null, mtime_ms double precision not null,
    ino double precision not null, chunks integer not null, unique (space, path_key))`,
  `create table knowledge_texts (
    number bigint generated always as identity primary key, hash bytea not null unique, length integer not null,
    profile bytea not null, is_packed integer not null, body bytea not null)`,
  `create table knowledge_chunks (
    id bigint generated always as identity primary key, space bigint not null, source bigint not null,
    text bigint not null, start_line integer not null, end_line integer not null, kind text not null,
    symbol text not null, defines text not null, twin integer not null, details text, entries integer not null,
    terms tsvector not null)`,
  'create index knowledge_chunks_source on knowledge_chunks (source)',
  'create index knowledge_chunks_text on knowledge_chunks (text)',
  'create index knowledge_chunks_terms on knowledge_chunks using gin (terms)',
  `create table knowledge_vectors (
    number bigint generated always as identity primary key, text bigint not null, model text not null,
    body bytea not null, unique (model, text))`,
  'create index knowledge_vectors_text on knowledge_vectors (text)',
  `create table knowledge_jobs (
    id text primary key, space text not null, root text not null, state text not null, is_forced integer not null,
    files integer not null, chunks integer not null, error text, created_at text not null, started_at text,
    completed_at text, owner text not null)`,
];

/** Makes the tables where they are missing. @throws GatewayError if a newer build has made them */
export async function makePostgresTables(sql: KnowledgeSql): Promise<void> {
  if ((await versionIn(sql)) === VERSION) return;
  await sql.transaction(async (within) => {
    await within.all(`select pg_advisory_xact_lock(${LOCK})::text`);
    // Do not ask whether it is there: within a transaction the old answer is remembered.
    await within.all('create table if not exists knowledge_schema (version integer not null)');
    const version = await readVersion(within);
    if (version > VERSION) throw tooNew(version);
    if (version === 0) for (const statement of TABLES) await within.all(statement);
    await within.all('delete from knowledge_schema');
    await within.all(`insert into knowledge_schema (version) values (${VERSION})`);
  });
}

async function versionIn(sql: KnowledgeSql): Promise<number> {
  const found = await one(sql, `select to_regclass('knowledge_schema')::text as name`);
  return found?.name === null ? 0 : readVersion(sql);
}

async function readVersion(sql: KnowledgeSql): Promise<number> {
  return ((await one(sql, 'select version from knowledge_schema'))?.version ?? 0) as number;
}
