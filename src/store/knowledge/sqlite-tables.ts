/** The version of the tables, in both databases. Another one is a migration. */
export const VERSION = 1;

/**
 * Chunks of a space have the numbers from its own times 2^32 on, so that a search in one space reads a range of the index of
 * terms. The terms come as words between spaces; they have no quotation marks in them.
 */
export const SQLITE_TABLES: readonly string[] = [
  `create table knowledge_spaces (
    number integer primary key autoincrement, id text not null unique, kind text not null, machine text not null,
    place_key text not null, place text not null, name text not null, form integer not null,
    files integer not null default 0, chunks integer not null default 0, terms integer not null default 0, entries integer not null default 0,
    created_at text not null, indexed_at text, run_owner text, run_at_ms integer, run_progress text,
    unique (kind, machine, place_key))`,
  `create table knowledge_sources (
    number integer primary key autoincrement, space integer not null, path_key text not null, path text not null,
    hash text not null, size integer not null, mtime_ms real not null, ino real not null, chunks integer not null,
    unique (space, path_key))`,
  `create table knowledge_texts (
    number integer primary key autoincrement, hash blob not null unique, length integer not null,
    profile blob not null, is_packed integer not null, body blob not null)`,
  `create table knowledge_chunks (
    id integer primary key, source integer not null, text integer not null, start_line integer not null,
    end_line integer not null, kind text not null, symbol text not null, defines text not null, twin integer not null,
    details text, entries integer not null)`,
  'create index knowledge_chunks_source on knowledge_chunks (source)',
  'create index knowledge_chunks_text on knowledge_chunks (text)',
  `create virtual table knowledge_terms using fts5 (
    terms, content='', contentless_delete=1, columnsize=1,
    tokenize="ascii tokenchars '!#$%&()*+,-./:;<=>?@[]^_{|}~'")`,
  "create virtual table knowledge_counts using fts5vocab('knowledge_terms', 'row')",
  `create table knowledge_vectors (
    number integer primary key autoincrement, text integer not null, model text not null, body blob not null,
    unique (model, text))`,
  'create index knowledge_vectors_text on knowledge_vectors (text)',
  `create table knowledge_jobs (
    id text primary key, space text not null, root text not null, state text not null, is_forced integer not null,
    files integer not null, chunks integer not null, error text, created_at text not null, started_at text,
    completed_at text, owner text not null)`,
];
