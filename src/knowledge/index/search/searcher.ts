import { createHash } from 'node:crypto';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { ChunkRow, Space } from '../../../store/knowledge/rows.ts';
import type { ChunkKind } from '../../chunks/chunk.ts';
import type { Candidate } from '../../ranking/candidate.ts';
import { type Query, readQuery } from '../../ranking/query.ts';
import { rank } from '../../ranking/rank.ts';
import type { SearchResult } from '../knowledge.ts';
import { unpack } from '../texts/packed-text.ts';
import { CandidateSearch, type Filters, type Found } from './candidates.ts';
import { contextOf } from './context.ts';
import type { Hybrid } from './hybrid.ts';
import { isStale } from './stale.ts';

export interface SearchRequest extends Filters {
  readonly query: string;
  readonly spaces: readonly string[];
  readonly limit: number;
}

export interface SearchReply {
  readonly results: readonly SearchResult[];
  readonly totalCount: number;
  readonly mode: 'lexical' | 'hybrid';
  readonly notes: readonly string[];
  /** Files of results that are not as the index has them: the results are of them as they were. */
  readonly stale: readonly { readonly root: string; readonly repositoryId: string; readonly path: string }[];
  /** The spaces that were searched, with what their holders have told last. */
  readonly spaces: readonly {
    readonly root: string;
    readonly runProgress: string | undefined;
    readonly isIndexed: boolean;
  }[];
}

/** A chunk on its way through the ranking. */
export interface ChunkCandidate extends Candidate {
  readonly row: ChunkRow;
}

/** Answers searches of repositories from the index. */
export class Searcher {
  readonly #store: KnowledgeStore;
  readonly #hybrid: Hybrid | undefined;

  constructor(store: KnowledgeStore, hybrid: Hybrid | undefined) {
    this.#store = store;
    this.#hybrid = hybrid;
  }

  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchReply> {
    const spaces = await this.#spaces(request.spaces);
    const query = readQuery(request.query);
    const search = new CandidateSearch(this.#store, spaces, query, request);
    const lexical = await search.find();
    const fused = await this.#fused(query, spaces, search, lexical, signal);
    const ranked = rank(query, fused.candidates, { limit: request.limit });
    const results = await Promise.all(ranked.map(({ candidate, score }) => this.#result(spaces, candidate, score)));
    const rows = ranked.map(({ candidate }) => candidate.row);
    return {
      results,
      totalCount: await search.total(),
      mode: fused.mode,
      notes: fused.notes,
      stale: await this.#stale(spaces, rows),
      spaces: spaces.map(({ place, runProgress, indexedAt }) => ({
        root: place,
        runProgress,
        isIndexed: indexedAt !== undefined,
      })),
    };
  }

  async #fused(
    query: Query,
    spaces: readonly Space[],
    search: CandidateSearch,
    lexical: readonly Found[],
    signal: AbortSignal,
  ) {
    if (this.#hybrid !== undefined) return this.#hybrid.fuse(query, spaces, search, lexical, signal);
    return { candidates: lexical.map(({ row, bm25 }) => candidateOf(row, bm25)), mode: 'lexical' as const, notes: [] };
  }

  async #spaces(named: readonly string[]): Promise<readonly Space[]> {
    const found: Space[] = [];
    for (const name of new Set(named)) {
      const { spaces } = this.#store;
      const space = (await spaces.at('repository', name)) ?? (await spaces.byId(name));
      if (space?.kind === 'repository' && !found.some(({ number }) => number === space.number)) found.push(space);
    }
    return found;
  }

  async #result(spaces: readonly Space[], { row, text }: ChunkCandidate, score: number): Promise<SearchResult> {
    const space = spaces.find(({ number }) => number === row.space)!;
    const context = await contextOf(this.#store, row);
    return {
      chunkId: chunkId(space, row),
      repositoryId: space.id,
      filePath: row.path,
      content: text,
      startLine: row.startLine,
      endLine: row.endLine,
      score,
      contextBefore: context.before,
      contextAfter: context.after,
      symbol: row.symbol,
      kind: row.kind as ChunkKind,
    };
  }

  async #stale(spaces: readonly Space[], rows: readonly ChunkRow[]) {
    const places = new Map(rows.map((row) => [row.source, row] as const));
    const stale: { root: string; repositoryId: string; path: string }[] = [];
    for (const row of places.values()) {
      const { id, place } = spaces.find(({ number }) => number === row.space)!;
      const source = await this.#store.source(row.space, row.path);
      // It may have been read again since the chunk was found.
      const isOther = source === undefined || source.hash !== row.sourceHash;
      if (isOther || isStale(place, source)) stale.push({ root: place, repositoryId: id, path: row.path });
    }
    return stale;
  }
}

export function candidateOf(row: ChunkRow, base: number): ChunkCandidate {
  let text: string | undefined;
  return {
    row,
    base,
    path: row.path,
    kind: row.kind as ChunkKind,
    symbol: row.symbol,
    defines: row.defines,
    // Most candidates are never shown.
    get text() {
      text ??= unpack(row);
      return text;
    },
  };
}

/** A UUID of version 8 by what the chunk is: it stays the same when lines move. */
function chunkId({ id }: Space, { path, textHash, twin }: ChunkRow): string {
  const hash = createHash('sha256').update(`${id}\n${path}\n${twin}\n`).update(textHash).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
