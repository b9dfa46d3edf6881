import { GatewayError } from '../../core/errors.ts';
import { ENGINES } from '../database/engines/index.ts';
import type { DatabasePlace } from '../database/engines/manifest.ts';
import { keyOf } from '../database/values.ts';
import { jobsIn } from './jobs.ts';
import type { KnowledgeStore } from './knowledge-store.ts';
import { linesRow, sourceRow } from './read-rows.ts';
import type { ChunkRow, LinesRow, NewSource, SourceRow, Space } from './rows.ts';
import { runsIn } from './runs.ts';
import { spacesIn } from './spaces.ts';
import { type KnowledgeSql, one } from './sql.ts';
import { sum, type TermsIndex, type Written } from './terms-index.ts';
import { type HashVector, putByHash, vectorsIn } from './vectors.ts';

export interface KnowledgePlace extends DatabasePlace {
  /** Tells the machines apart whose repositories are in one database. */
  readonly machine: string;
}

/** The number of chunks of a file before and after one that are read: more than lie within a few lines of it. */
const NEAR = 64;

/** Opens the index for one thread. @throws GatewayError where it cannot be opened or a newer build has made it */
export async function openKnowledgeStore(place: KnowledgePlace, engines = ENGINES): Promise<KnowledgeStore> {
  const { sql, terms } = await engines.forPlace(place).openKnowledge(place);
  return storeIn(sql, terms, place.machine);
}

function storeIn(sql: KnowledgeSql, terms: TermsIndex, machine: string): KnowledgeStore {
  return {
    sql,
    terms,
    spaces: spacesIn(sql, terms, machine),
    runs: runsIn(sql),
    jobs: jobsIn(sql),
    vectors: vectorsIn(sql),
    sources: async (space) => (await sql.all('select * from knowledge_sources where space = ?', space)).map(sourceRow),
    source: (space, path) => findSource(sql, space, path),
    chunksAround: (chunk, firstLine, lastLine) => chunksAround(sql, chunk, firstLine, lastLine),
    write: (space, sources, gone = [], vectors = []) => write(sql, terms, space, sources, gone, vectors),
    touch: (sources) => touch(sql, sources),
    tidy: () => sql.tidy(),
    close: () => sql.close(),
  };
}

async function findSource(sql: KnowledgeSql, space: number, path: string): Promise<SourceRow | undefined> {
  const row = await one(sql, 'select * from knowledge_sources where space = ? and path_key = ?', space, keyOf(path));
  return row && sourceRow(row);
}

/** Chunks of a file are written one after the other: those that are near have numbers near to that of the chunk. */
async function chunksAround(
  sql: KnowledgeSql,
  { id, source }: Pick<ChunkRow, 'id' | 'source'>,
  firstLine: number,
  lastLine: number,
): Promise<readonly LinesRow[]> {
  const rows = await sql.all(
    `select c.start_line, c.end_line, t.is_packed, t.body
     from knowledge_chunks c join knowledge_texts t on t.number = c.text
     where c.id between ? and ? and c.source = ? and c.end_line >= ? and c.start_line <= ?`,
    id - NEAR,
    id + NEAR,
    source,
    firstLine,
    lastLine,
  );
  return rows.map(linesRow);
}

async function write(
  sql: KnowledgeSql,
  terms: TermsIndex,
  { number, place }: Space,
  sources: readonly NewSource[],
  gone: readonly number[],
  vectors: readonly HashVector[],
): Promise<Written> {
  return sql.transaction(async (within) => {
    const removed = await terms.removeSources(within, gone);
    const added = await terms.writeSources(within, number, sources);
    await putByHash(within, vectors);
    const written = sum(removed, added);
    const known = await within.all(
      `update knowledge_spaces set chunks = chunks + ?, terms = terms + ?, entries = entries + ?,
         files = (select count(*) from knowledge_sources where space = ?) where number = ?
       returning number`,
      written.chunks,
      written.terms,
      written.entries,
      number,
      number,
    );
    if (known.length === 0) throw spaceRemoved(place);
    return written;
  });
}

/** Takes back what was written: nothing could remove it later. */
function spaceRemoved(place: string): GatewayError {
  const message = `${place} was removed from the index meanwhile: nothing was written`;
  return new GatewayError('STORE_UNAVAILABLE', message, { effect: 'none' });
}

function touch(
  sql: KnowledgeSql,
  sources: readonly Pick<SourceRow, 'number' | 'size' | 'mtimeMs' | 'ino'>[],
): Promise<void> {
  return sql.transaction(async (within) => {
    for (const { number, size, mtimeMs, ino } of sources) {
      await within.all(
        'update knowledge_sources set size = ?, mtime_ms = ?, ino = ? where number = ?',
        size,
        mtimeMs,
        ino,
        number,
      );
    }
  });
}
