import { keyOf } from '../database/values.ts';
import { chunkRow } from './read-rows.ts';
import type { ChunkRow, NewChunk, NewSource } from './rows.ts';
import { type KnowledgeSql, one, type SqlRow } from './sql.ts';
import { type Most, NOTHING, sum, type TermsIndex, type TermsQuery, type Written } from './terms-index.ts';

/** Chunks of one space have the numbers from its own times this on. */
const SPAN = 2 ** 32;

export const sqliteTerms: TermsIndex = { writeSources, removeSources, frequencies, count, best, chunks };

async function writeSources(sql: KnowledgeSql, space: number, sources: readonly NewSource[]): Promise<Written> {
  let written = NOTHING;
  let next = await nextChunk(sql, space);
  for (const source of sources) {
    const { number, before } = await putSource(sql, space, source);
    for (const chunk of source.chunks)
      written = sum(written, await insertChunk(sql, next++, number, chunk, source.tags));
    // Last, so that texts that stay keep their vectors.
    written = sum(written, await removeChunks(sql, before));
  }
  return written;
}

async function nextChunk(sql: KnowledgeSql, space: number): Promise<number> {
  const range = [space * SPAN, (space + 1) * SPAN - 1] as const;
  const found = await one(sql, 'select max(id) as last from knowledge_chunks where id between ? and ?', ...range);
  return Math.max((found?.last ?? 0) as number, space * SPAN) + 1;
}

/** Returns the number of a file, and the chunks that it had. */
async function putSource(sql: KnowledgeSql, space: number, source: NewSource) {
  const key = keyOf(source.path);
  const facts = [source.hash, source.size, source.mtimeMs, source.ino, source.chunks.length] as const;
  const known = await one(sql, 'select number from knowledge_sources where space = ? and path_key = ?', space, key);
  if (known !== undefined) {
    const number = known.number as number;
    await sql.all(
      'update knowledge_sources set hash = ?, size = ?, mtime_ms = ?, ino = ?, chunks = ? where number = ?',
      ...facts,
      number,
    );
    return { number, before: await chunksOf(sql, number) };
  }
  const made = await one(
    sql,
    `insert into knowledge_sources (hash, size, mtime_ms, ino, chunks, space, path_key, path)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning number`,
    ...facts,
    space,
    key,
    source.path,
  );
  return { number: made!.number as number, before: [] };
}

function chunksOf(sql: KnowledgeSql, source: number): Promise<readonly SqlRow[]> {
  return sql.all(
    'select id, text, length, entries from knowledge_chunks join knowledge_texts on number = text where source = ?',
    source,
  );
}

async function insertChunk(
  sql: KnowledgeSql,
  id: number,
  source: number,
  chunk: NewChunk,
  tags: readonly string[],
): Promise<Written> {
  const text = await textNumber(sql, chunk);
  await sql.all(
    `insert into knowledge_chunks
       (id, source, text, start_line, end_line, kind, symbol, defines, twin, details, entries)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    source,
    text,
    chunk.startLine,
    chunk.endLine,
    chunk.kind,
    chunk.symbol,
    chunk.defines.join('\n'),
    chunk.twin,
    chunk.details ?? null,
    chunk.entries + tags.length,
  );
  const terms = [chunk.terms, ...tags].join(' ');
  await sql.all('insert into knowledge_terms (rowid, terms) values (?, ?)', id, terms);
  return { chunks: 1, terms: chunk.length, entries: chunk.entries + tags.length };
}

async function textNumber(sql: KnowledgeSql, chunk: NewChunk): Promise<number> {
  const known = await one(sql, 'select number from knowledge_texts where hash = ?', chunk.textHash);
  if (known !== undefined) return known.number as number;
  const made = await one(
    sql,
    'insert into knowledge_texts (hash, length, profile, is_packed, body) values (?, ?, ?, ?, ?) returning number',
    chunk.textHash,
    chunk.length,
    chunk.profile,
    chunk.isPacked ? 1 : 0,
    chunk.body,
  );
  return made!.number as number;
}

async function removeSources(sql: KnowledgeSql, sources: readonly number[]): Promise<Written> {
  let written = NOTHING;
  for (const source of sources) {
    written = sum(written, await removeChunks(sql, await chunksOf(sql, source)));
    await sql.all('delete from knowledge_sources where number = ?', source);
  }
  return written;
}

async function removeChunks(sql: KnowledgeSql, rows: readonly SqlRow[]): Promise<Written> {
  let written = NOTHING;
  for (const { id, text, length, entries } of rows) {
    await sql.all('delete from knowledge_terms where rowid = ?', id!);
    await sql.all('delete from knowledge_chunks where id = ?', id!);
    await removeUnusedText(sql, text as number);
    written = sum(written, { chunks: -1, terms: -(length as number), entries: -(entries as number) });
  }
  return written;
}

async function removeUnusedText(sql: KnowledgeSql, text: number): Promise<void> {
  if ((await one(sql, 'select 1 from knowledge_chunks where text = ? limit 1', text)) !== undefined) return;
  await sql.all('delete from knowledge_vectors where text = ?', text);
  await sql.all('delete from knowledge_texts where number = ?', text);
}

async function frequencies(sql: KnowledgeSql, terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const term of terms) {
    const row = await one(sql, 'select doc from knowledge_counts where term = ?', term);
    counts.set(term, (row?.doc ?? 0) as number);
  }
  return counts;
}

async function count(sql: KnowledgeSql, query: TermsQuery): Promise<number> {
  let total = 0;
  for (const space of query.spaces) {
    const row = await one(
      sql,
      'select count(*) as total from knowledge_terms where knowledge_terms match ? and rowid between ? and ?',
      matchOf(query),
      space * SPAN,
      (space + 1) * SPAN - 1,
    );
    total += row!.total as number;
  }
  return total;
}

async function best(sql: KnowledgeSql, query: TermsQuery, { limit, atMost }: Most): Promise<readonly number[]> {
  const found: { readonly id: number; readonly score: number }[] = [];
  for (const space of query.spaces) {
    const rows = await sql.all(
      `select id, score from (
         select rowid as id, bm25(knowledge_terms) as score from knowledge_terms
         where knowledge_terms match ? and rowid between ? and ? limit ?
       ) order by score, id limit ?`,
      matchOf(query),
      space * SPAN,
      (space + 1) * SPAN - 1,
      atMost,
      limit,
    );
    for (const { id, score } of rows) found.push({ id: id as number, score: score as number });
  }
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Terms have no quotation marks in them. */
function matchOf({ groups }: TermsQuery): string {
  return groups.map((terms) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
}

async function chunks(sql: KnowledgeSql, ids: readonly number[]): Promise<readonly ChunkRow[]> {
  const rows = await sql.all(
    `select c.id, s.space, c.source, s.hash as source_hash, s.path, c.text, t.hash as text_hash, c.start_line, c.end_line, c.kind, c.symbol,
       c.defines, c.twin, t.length, t.profile, t.is_packed, t.body, c.details
     from json_each(?) as wanted
     join knowledge_chunks c on c.id = wanted.value
     join knowledge_sources s on s.number = c.source
     join knowledge_texts t on t.number = c.text`,
    JSON.stringify(ids),
  );
  return rows.map(chunkRow);
}
