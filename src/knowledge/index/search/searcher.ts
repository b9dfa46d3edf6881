import { createHash } from 'node:crypto';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { ChunkRow, Space } from '../../../store/knowledge/rows.ts';
import type { ChunkKind } from '../../chunks/chunk.ts';
import { readQuery } from '../../ranking/query.ts';
import { rank } from '../../ranking/rank.ts';
import type { SearchResult } from '../knowledge.ts';
import { CandidateSearch, type Filters } from './candidates.ts';
import { byWordsAlone, type ChunkCandidate } from './chunk-candidate.ts';
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
  }[];
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
    const fused = (await this.#hybrid?.fuse(query, spaces, search, lexical, signal)) ?? byWordsAlone(lexical);
    const ranked = rank(query, fused.candidates, { limit: request.limit });
    const results = await Promise.all(ranked.map(({ candidate, score }) => this.#result(spaces, candidate, score)));
    const rows = ranked.map(({ candidate }) => candidate.row);
    return {
      results,
      totalCount: await search.total(),
      mode: fused.mode,
      notes: fused.notes,
      stale: await this.#stale(spaces, rows),
      spaces: spaces.map(({ place, runProgress }) => ({ root: place, runProgress })),
    };
  }

  async #spaces(named: readonly string[]): Promise<readonly Space[]> {
    const found: Space[] = [];
    for (const name of new Set(named)) {
      const space = await repositoryAt(this.#store, name);
      if (space !== undefined && !found.some(({ number }) => number === space.number)) found.push(space);
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

/** Returns the space of a repository by its root or id. */
export async function repositoryAt({ spaces }: KnowledgeStore, rootOrId: string): Promise<Space | undefined> {
  const space = (await spaces.at('repository', rootOrId)) ?? (await spaces.byId(rootOrId));
  return space?.kind === 'repository' ? space : undefined;
}

/** Returns a UUID of version 8 by what the chunk is: it stays the same when lines move. */
function chunkId({ id }: Space, { path, textHash, twin }: ChunkRow): string {
  const hash = createHash('sha256').update(`${id}\n${path}\n${twin}\n`).update(textHash).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
