import type { ChunkRow, JobRow, LinesRow, SourceRow, Space, SpaceKind } from './rows.ts';
import type { SqlRow, SqlValue } from './sql.ts';

const optional = (value: SqlValue | undefined): string | undefined => (value ?? undefined) as string | undefined;

export function spaceRow(row: SqlRow): Space {
  return {
    number: row.number as number,
    id: row.id as string,
    kind: row.kind as SpaceKind,
    place: row.place as string,
    name: row.name as string,
    form: row.form as number,
    files: row.files as number,
    chunks: row.chunks as number,
    terms: row.terms as number,
    indexedAt: optional(row.indexed_at),
    runOwner: optional(row.run_owner),
    runAtMs: (row.run_at_ms ?? 0) as number,
    runProgress: optional(row.run_progress),
  };
}

export function sourceRow(row: SqlRow): SourceRow {
  return {
    number: row.number as number,
    path: row.path as string,
    hash: row.hash as string,
    size: row.size as number,
    mtimeMs: row.mtime_ms as number,
    ino: row.ino as number,
  };
}

export function chunkRow(row: SqlRow): ChunkRow {
  const defines = row.defines as string;
  return {
    id: row.id as number,
    space: row.space as number,
    source: row.source as number,
    sourceHash: row.source_hash as string,
    path: row.path as string,
    text: row.text as number,
    textHash: row.text_hash as Uint8Array,
    startLine: row.start_line as number,
    endLine: row.end_line as number,
    kind: row.kind as string,
    symbol: row.symbol as string,
    defines: defines === '' ? [] : defines.split('\n'),
    twin: row.twin as number,
    length: row.length as number,
    profile: row.profile as Uint8Array,
    isPacked: row.is_packed === 1,
    body: row.body as Uint8Array,
    details: optional(row.details),
  };
}

export function linesRow(row: SqlRow): LinesRow {
  return {
    startLine: row.start_line as number,
    endLine: row.end_line as number,
    isPacked: row.is_packed === 1,
    body: row.body as Uint8Array,
  };
}

export function jobRow(row: SqlRow): JobRow {
  return {
    id: row.id as string,
    space: row.space as string,
    root: row.root as string,
    state: row.state as JobRow['state'],
    isForced: row.is_forced === 1,
    files: row.files as number,
    chunks: row.chunks as number,
    error: optional(row.error),
    createdAt: row.created_at as string,
    startedAt: optional(row.started_at),
    completedAt: optional(row.completed_at),
    owner: row.owner as string,
  };
}
