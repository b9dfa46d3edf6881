import { storableText } from '../../core/stores/storable-text.ts';
import { keyOf } from '../database/values.ts';
import { chunkRow } from './read-rows.ts';
import type { ChunkRow, NewSource } from './rows.ts';
import { type KnowledgeSql, one } from './sql.ts';
import {
  type IndexSize,
  type Most,
  NOTHING,
  sum,
  type TermsIndex,
  type TermsQuery,
  type Written,
} from './terms-index.ts';

export const postgresTerms: TermsIndex = { writeSources, removeSources, frequencies, count, best, chunks };

/** Rows go as JSON, a statement for all of them: each statement is a way to the server and back. */
async function writeSources(sql: KnowledgeSql, space: number, sources: readonly NewSource[]): Promise<Written> {
  if (sources.length === 0) return NOTHING;
  const numbers = await putSources(sql, space, sources);
  const before = await chunksOf(sql, [...numbers.values()]);
  const texts = await putTexts(sql, sources);
  await putChunks(sql, space, sources, numbers, texts);
  // Last, so that texts that stay keep their vectors.
  const gone = await removeChunks(sql, before);
  return sources.reduce((written, source) => sum(written, sizeOf(source)), gone);
}

function sizeOf({ chunks: own, tags }: NewSource): Written {
  return {
    chunks: own.length,
    terms: own.reduce((total, { length }) => total + length, 0),
    entries: own.reduce((total, { entries }) => total + entries + tags.length, 0),
  };
}

async function putSources(sql: KnowledgeSql, space: number, sources: readonly NewSource[]) {
  const rows = sources.map(({ path, hash, size, mtimeMs, ino, chunks: own }) => ({
    path_key: keyOf(path),
    path: storableText(path),
    hash,
    size,
    mtime_ms: mtimeMs,
    ino,
    chunks: own.length,
  }));
  const written = await sql.all(
    `insert into knowledge_sources (space, path_key, path, hash, size, mtime_ms, ino, chunks)
     select ?::bigint, r.* from json_to_recordset(?::text::json) as r (path_key text, path text, hash text, size bigint,
       mtime_ms double precision, ino double precision, chunks integer)
     on conflict (space, path_key) do update set hash = excluded.hash, size = excluded.size,
       mtime_ms = excluded.mtime_ms, ino = excluded.ino, chunks = excluded.chunks
     returning number, path_key`,
    space,
    JSON.stringify(rows),
  );
  return new Map(written.map(({ number, path_key }) => [path_key as string, number as number]));
}

async function putTexts(sql: KnowledgeSql, sources: readonly NewSource[]): Promise<ReadonlyMap<string, number>> {
  const texts = new Map<string, object>();
  for (const { chunks: own } of sources)
    for (const { textHash, length, profile, isPacked, body } of own) {
      const hash = hexOf(textHash);
      texts.set(hash, { hash, length, profile: hexOf(profile), is_packed: isPacked ? 1 : 0, body: hexOf(body) });
    }
  const numbers = new Map<string, number>();
  // One that another gateway removes as unused between the two statements is put again.
  while (numbers.size < texts.size) {
    const missing = [...texts].filter(([hash]) => !numbers.has(hash));
    for (const [hash, number] of await putMissing(sql, missing)) numbers.set(hash, number);
  }
  return numbers;
}

async function putMissing(
  sql: KnowledgeSql,
  texts: readonly (readonly [hash: string, row: object])[],
): Promise<ReadonlyMap<string, number>> {
  // In one order, so that two gateways never wait for each other.
  const rows = JSON.stringify([...texts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row));
  await sql.all(
    `insert into knowledge_texts (hash, length, profile, is_packed, body)
     select decode(hash, 'hex'), length, decode(profile, 'hex'), is_packed, decode(body, 'hex')
     from json_to_recordset(?::text::json) as r (hash text, length integer, profile text, is_packed integer, body text)
     on conflict (hash) do nothing`,
    rows,
  );
  // Locked, so that no process removes one as unused meanwhile.
  const known = await sql.all(
    `select number, encode(hash, 'hex') as hash from knowledge_texts
     where hash in (select decode(value, 'hex') from json_array_elements_text(?::text::json)) order by hash for share`,
    JSON.stringify(texts.map(([hash]) => hash)),
  );
  return new Map(known.map(({ hash, number }) => [hash as string, number as number]));
}

async function putChunks(
  sql: KnowledgeSql,
  space: number,
  sources: readonly NewSource[],
  numbers: ReadonlyMap<string, number>,
  texts: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = sources.flatMap(({ path, tags, chunks: own }) =>
    own.map((chunk) => ({
      source: numbers.get(keyOf(path)),
      text: texts.get(hexOf(chunk.textHash)),
      start_line: chunk.startLine,
      end_line: chunk.endLine,
      kind: chunk.kind,
      twin: chunk.twin,
      symbol: storableText(chunk.symbol),
      defines: storableText(chunk.defines.join('\n')),
      entries: chunk.entries + tags.length,
      details: chunk.details ?? null,
      terms: [chunk.terms, ...tags].join(' ').trim(),
    })),
  );
  await sql.all(
    `insert into knowledge_chunks
       (space, source, text, start_line, end_line, kind, symbol, defines, twin, details, entries, terms)
     select ?::bigint, source, text, start_line, end_line, kind, symbol, defines, twin, details, entries,
       array_to_tsvector(string_to_array(terms, ' '))
     from json_to_recordset(?::text::json) as r (source bigint, text bigint, start_line integer, end_line integer,
       kind text, symbol text, defines text, twin integer, details text, entries integer, terms text)`,
    space,
    JSON.stringify(rows),
  );
}

interface OldChunk {
  readonly id: number;
  readonly text: number;
  readonly length: number;
  readonly entries: number;
}

async function chunksOf(sql: KnowledgeSql, sources: readonly number[]): Promise<readonly OldChunk[]> {
  const rows = await sql.all(
    `select c.id, c.text, c.entries, t.length from knowledge_chunks c join knowledge_texts t on t.number = c.text
     where c.source = any (?::bigint[])`,
    arrayOf(sources),
  );
  return rows as unknown as readonly OldChunk[];
}

async function removeSources(sql: KnowledgeSql, sources: readonly number[]): Promise<Written> {
  if (sources.length === 0) return NOTHING;
  const written = await removeChunks(sql, await chunksOf(sql, sources));
  await sql.all('delete from knowledge_sources where number = any (?::bigint[])', arrayOf(sources));
  return written;
}

async function removeChunks(sql: KnowledgeSql, old: readonly OldChunk[]): Promise<Written> {
  if (old.length === 0) return NOTHING;
  await sql.all('delete from knowledge_chunks where id = any (?::bigint[])', arrayOf(old.map(({ id }) => id)));
  const texts = arrayOf([...new Set(old.map(({ text }) => text))]);
  const unused = await sql.all(
    `select number from knowledge_texts t where number = any (?::bigint[])
       and not exists (select 1 from knowledge_chunks c where c.text = t.number)
     order by hash for update skip locked`,
    texts,
  );
  const gone = arrayOf(unused.map(({ number }) => number as number));
  await sql.all('delete from knowledge_vectors where text = any (?::bigint[])', gone);
  await sql.all('delete from knowledge_texts where number = any (?::bigint[])', gone);
  return {
    chunks: -old.length,
    terms: -old.reduce((total, { length }) => total + length, 0),
    entries: -old.reduce((total, { entries }) => total + entries, 0),
  };
}

async function frequencies(sql: KnowledgeSql, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(terms.map((term) => frequency(sql, term)));
  return new Map(terms.map((term, index) => [term, counts[index]!]));
}

async function frequency(sql: KnowledgeSql, term: string): Promise<number> {
  const statement = 'select count(*)::integer as total from knowledge_chunks where terms @@ ?::tsquery';
  return (await one(sql, statement, quoted(term)))!.total as number;
}

async function count(sql: KnowledgeSql, query: TermsQuery): Promise<number> {
  const row = await one(
    sql,
    `select count(*)::integer as total from knowledge_chunks where space = any (?::bigint[]) and terms @@ ?::tsquery`,
    arrayOf(query.spaces),
    matchOf(query),
  );
  return row!.total as number;
}

/** The usual constants of BM25, as FTS5 has them. */
const K1 = 1.2;
const B = 0.75;

/** Ranks by BM25 as FTS5 computes it, so that both databases find the same. */
async function best(
  sql: KnowledgeSql,
  query: TermsQuery,
  { limit, atMost }: Most,
  counts: ReadonlyMap<string, number>,
): Promise<readonly number[]> {
  const all = (await one(
    sql,
    'select coalesce(sum(chunks), 0)::float8 as chunks, coalesce(sum(entries), 0)::float8 as entries from knowledge_spaces',
  )) as unknown as IndexSize;
  const terms = (query.groups.at(-1) ?? []).filter((term) => counts.has(term));
  const weights = terms.map(() => 'case when terms @@ ?::tsquery then ?::float8 else 0 end').join(' + ') || '0';
  const values = terms.flatMap((term) => [quoted(term), rarity(all.chunks, counts.get(term)!)]);
  const average = all.entries / Math.max(1, all.chunks);
  const rows = await sql.all(
    `select id from (
       select id, terms, entries from knowledge_chunks
       where space = any (?::bigint[]) and terms @@ ?::tsquery limit ?
     ) as found
     order by (${weights})::float8 / (1 + ${K1} * (1 - ${B} + ${B} * entries / ?::float8)) desc, id limit ?`,
    arrayOf(query.spaces),
    matchOf(query),
    atMost,
    ...values,
    average,
    limit,
  );
  return rows.map(({ id }) => id as number);
}

function rarity(chunks: number, count: number): number {
  return Math.max(1e-6, Math.log((chunks - count + 0.5) / (count + 0.5)));
}

async function chunks(sql: KnowledgeSql, ids: readonly number[]): Promise<readonly ChunkRow[]> {
  const rows = await sql.all(
    `select c.id, c.space, c.source, s.hash as source_hash, s.path, c.text, t.hash as text_hash, c.start_line, c.end_line, c.kind, c.symbol,
       c.defines, c.twin, t.length, t.profile, t.is_packed, t.body, c.details
     from knowledge_chunks c
     join knowledge_sources s on s.number = c.source
     join knowledge_texts t on t.number = c.text
     where c.id = any (?::bigint[])`,
    arrayOf(ids),
  );
  return rows.map(chunkRow);
}

function matchOf({ groups }: TermsQuery): string {
  return groups.map((terms) => `(${terms.map(quoted).join(' | ')})`).join(' & ');
}

/** Terms have no backslash in them. */
function quoted(term: string): string {
  return `'${term.replaceAll("'", "''")}'`;
}

function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
