import type { ChunkRow, NewSource } from './rows.ts';
import type { KnowledgeSql } from './sql.ts';

/** Which chunks to look for. */
export interface TermsQuery {
  /** Numbers of the spaces. */
  readonly spaces: readonly number[];
  /** A chunk has one of the terms of each group. */
  readonly groups: readonly (readonly string[])[];
}

export interface Written {
  readonly chunks: number;
  readonly terms: number;
}

/** What the two databases do differently: the index of terms, and writing many rows at once. */
export interface TermsIndex {
  /** Puts files in the place of what the space has at their paths. Part of a transaction. Returns what came and went. */
  writeSources(sql: KnowledgeSql, space: number, sources: readonly NewSource[]): Promise<Written>;
  /** Removes files by their numbers. Part of a transaction. Returns what went, as negative numbers. */
  removeSources(sql: KnowledgeSql, sources: readonly number[]): Promise<Written>;
  /** Says in how many chunks each term is, of these spaces or of all. */
  frequencies(
    sql: KnowledgeSql,
    spaces: readonly number[],
    terms: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  count(sql: KnowledgeSql, query: TermsQuery): Promise<number>;
  /**
   * Returns chunks that fit the query, by their numbers: the best `limit` of the first `atMost` that are found.
   * `weights` are of the terms of the last group.
   */
  best(
    sql: KnowledgeSql,
    query: TermsQuery,
    limit: number,
    atMost: number,
    weights: ReadonlyMap<string, number>,
  ): Promise<readonly number[]>;
  /** In no order; those that are gone by now are left out. */
  chunks(sql: KnowledgeSql, ids: readonly number[]): Promise<readonly ChunkRow[]>;
}
