import type { ChunkRow, NewSource } from './rows.ts';
import type { KnowledgeSql } from './sql.ts';

/** The chunks to look for. */
export interface TermsQuery {
  /** Numbers of the spaces. */
  readonly spaces: readonly number[];
  /** A chunk has one of the terms of each group. */
  readonly groups: readonly (readonly string[])[];
}

/** Counts that were added to a space; negative if they were removed. */
export interface Written {
  readonly chunks: number;
  /** Terms of all texts, equal ones included. */
  readonly terms: number;
  /** Terms in the index: of each chunk each once. */
  readonly entries: number;
}

export const NOTHING: Written = { chunks: 0, terms: 0, entries: 0 };

export function sum(one: Written, other: Written): Written {
  return {
    chunks: one.chunks + other.chunks,
    terms: one.terms + other.terms,
    entries: one.entries + other.entries,
  };
}

/** The size of the index, over all spaces. */
export interface IndexSize {
  readonly chunks: number;
  readonly entries: number;
}

export interface Most {
  readonly limit: number;
  readonly atMost: number;
}

/** The parts that differ between the two databases: the index of terms, and writing many rows at once. */
export interface TermsIndex {
  /** Puts files in the place of what the space has at their paths. Part of a transaction. Returns what came and went. */
  writeSources(sql: KnowledgeSql, space: number, sources: readonly NewSource[]): Promise<Written>;
  /** Removes files by their numbers. Part of a transaction. Returns what went, as negative numbers. */
  removeSources(sql: KnowledgeSql, sources: readonly number[]): Promise<Written>;
  /** Says in how many chunks each term is, of all spaces: those of one would have to be counted. */
  frequencies(sql: KnowledgeSql, terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  count(sql: KnowledgeSql, query: TermsQuery): Promise<number>;
  /**
   * Returns chunks that fit the query, by their numbers: the best `limit` of the first `atMost` that are found. A term counts
   * once in a chunk; `counts` are the frequencies of the terms that count.
   */
  best(
    sql: KnowledgeSql,
    query: TermsQuery,
    most: Most,
    counts: ReadonlyMap<string, number>,
  ): Promise<readonly number[]>;
  /** In no order; those that are gone by now are left out. */
  chunks(sql: KnowledgeSql, ids: readonly number[]): Promise<readonly ChunkRow[]>;
}
