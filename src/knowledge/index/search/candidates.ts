import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { ChunkRow, Space } from '../../../store/knowledge/rows.ts';
import type { Query } from '../../ranking/query.ts';
import { definitionTerm, extensionTerm, folderTerm, tagsOf } from '../texts/new-chunks.ts';
import { countsIn, hashOf } from '../texts/profile.ts';

/** The number of chunks that get our own ranking. */
const MOST_CANDIDATES = 260;
/** Chunks with any of the rarer terms that are compared; terms that are in more are left to the ranking. */
const MOST_COMPARED = 4_000;
/** The number of chunks taken that have two frequent terms, and no rare one. */
const MOST_PAIRS = 2_000;
/** The number of times a search begins again because files are written meanwhile. */
const MOST_TRIES = 4;
/** The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;

export interface Filters {
  readonly fileType?: string | undefined;
  readonly directory?: string | undefined;
}

export interface Found {
  readonly row: ChunkRow;
  /** BM25 over all terms of the query. */
  readonly bm25: number;
}

/** Finds the chunks of some spaces that fit the words of a query best. */
export class CandidateSearch {
  readonly #store: KnowledgeStore;
  readonly #spaces: readonly Space[];
  readonly #numbers: readonly number[];
  readonly #filters: readonly (readonly string[])[];
  readonly #query: Query;
  #best = 0;

  constructor(store: KnowledgeStore, spaces: readonly Space[], query: Query, filters: Filters) {
    this.#store = store;
    this.#spaces = spaces;
    this.#numbers = spaces.map(({ number }) => number);
    this.#query = query;
    this.#filters = filterGroups(filters);
  }

  /** Chunks that have a term of the query, and pass the filters. */
  async total(): Promise<number> {
    if (this.#query.terms.length === 0) return 0;
    return this.#count([this.#query.terms]);
  }

  async find(tries = MOST_TRIES): Promise<readonly Found[]> {
    const { terms, symbols } = this.#query;
    if (terms.length === 0) return [];
    const { sql, terms: index } = this.#store;
    const counts = await index.frequencies(sql, terms);
    const ids = new Set<number>();
    const add = async (groups: readonly (readonly string[])[], limit: number, atMost: number) => {
      const query = { spaces: this.#numbers, groups: [...this.#filters, ...groups] };
      for (const id of await index.best(sql, query, { limit, atMost }, counts)) ids.add(id);
    };
    if (symbols.length > 0) await add([symbols.map(definitionTerm)], 100, MOST_COMPARED);
    const { rare, frequent } = split(terms, counts);
    if (rare.length > 0) await add([rare], MOST_CANDIDATES, MOST_COMPARED);
    const [first, second] = frequent;
    if (first !== undefined && second !== undefined) await add([[first], [second]], 150, MOST_PAIRS);
    else if (rare.length === 0 && first !== undefined) await add([[first]], MOST_CANDIDATES, MOST_COMPARED);
    const rows = [...(await index.chunks(sql, [...ids]))].sort(inOrder);
    // A file was written between the two looks, and its chunks have other numbers now.
    if (rows.length < ids.size && tries > 1) return this.find(tries - 1);
    return this.score(rows, counts);
  }

  /** Scores chunks by BM25 over all terms of the query. */
  score(rows: readonly ChunkRow[], counts: ReadonlyMap<string, number>): readonly Found[] {
    const { terms } = this.#query;
    const hashes = terms.map(hashOf);
    const weights = this.#weights(counts);
    const average = this.#averageLength();
    // A term that no chunk has asks for too much.
    this.#best = terms.reduce((sum, term) => sum + (counts.get(term)! > 0 ? weights.get(term)! : 0), 0) * (K1 + 1);
    return rows.map((row) => {
      const lengths = K1 * (1 - B + (B * row.length) / average);
      let bm25 = 0;
      for (const [index, count] of countsIn(row.profile, hashes).entries())
        if (count > 0) bm25 += (weights.get(terms[index]!)! * count * (K1 + 1)) / (count + lengths);
      return { row, bm25 };
    });
  }

  /** Returns the best possible score for the last `find`: of a chunk with all terms of the query, often and in little text. */
  best(): number {
    return this.#best;
  }

  /** Leaves out what the filters exclude. */
  passing(rows: readonly ChunkRow[]): readonly ChunkRow[] {
    return rows.filter(({ path }) => {
      const tags = new Set(tagsOf(path));
      return this.#filters.every((group) => group.some((term) => tags.has(term)));
    });
  }

  #count(groups: readonly (readonly string[])[]): Promise<number> {
    const { sql, terms } = this.#store;
    return terms.count(sql, { spaces: this.#numbers, groups: [...this.#filters, ...groups] });
  }

  /** The rarer a term, the more it says. */
  #weights(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const total = Math.max(1, ...this.#spaces.map(({ chunks }) => chunks), ...counts.values());
    return new Map(
      [...counts].map(([term, count]) => [term, Math.log(1 + (total - count + 0.5) / (count + 0.5))] as const),
    );
  }

  #averageLength(): number {
    const [chunks, terms] = this.#spaces.reduce(([all, sum], space) => [all + space.chunks, sum + space.terms], [0, 0]);
    return Math.max(1, terms / Math.max(1, chunks));
  }
}

/** Orders by score; of two equally good ones the first one in the folder comes first. */
function inOrder(one: ChunkRow, other: ChunkRow): number {
  if (one.path === other.path) return one.startLine - other.startLine;
  return one.path < other.path ? -1 : 1;
}

/** Rare terms are enough to find what fits best, where there are any; those that are frequent come in pairs. */
function split(terms: readonly string[], counts: ReadonlyMap<string, number>) {
  const known = terms.filter((term) => counts.get(term)! > 0);
  const sorted = known.sort((one, other) => counts.get(one)! - counts.get(other)!);
  const rare: string[] = [];
  let compared = 0;
  for (const term of sorted) {
    compared += counts.get(term)!;
    if (compared > MOST_COMPARED) break;
    rare.push(term);
  }
  return { rare, frequent: sorted.slice(rare.length) };
}

function filterGroups({ fileType, directory }: Filters): readonly (readonly string[])[] {
  const folder = (directory ?? '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return [
    ...(fileType === undefined ? [] : [[extensionTerm(fileType)]]),
    ...(folder === '' ? [] : [[folderTerm(folder)]]),
  ];
}
