import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import { EmbeddingError } from '../../embeddings/embedding-error.ts';
import type { Query } from '../../ranking/query.ts';
import { fuse } from '../../vectors/fuse.ts';
import type { CandidateSearch, Found } from './candidates.ts';
import { byWordsAlone, candidateOf, type Scored } from './chunk-candidate.ts';
import { VectorCache } from './vector-cache.ts';

/** Chunks that are found by their vectors alone. */
const NEAREST = 100;
/** The weight of vectors: less if the query is the name of a symbol. */
const WEIGHT = { symbol: 0.3, language: 0.5 } as const;

const BY_WORDS = 'These results are by words alone';

/** Adds what vectors say to what words say. */
export class Hybrid {
  readonly #store: KnowledgeStore;
  readonly #embedder: Embedder;
  readonly #vectors: VectorCache;

  constructor(store: KnowledgeStore, embedder: Embedder) {
    this.#store = store;
    this.#embedder = embedder;
    this.#vectors = new VectorCache(store);
  }

  async fuse(
    query: Query,
    spaces: readonly Space[],
    search: CandidateSearch,
    lexical: readonly Found[],
    signal: AbortSignal,
  ): Promise<Scored> {
    const asked = await this.#vectorOf(query.text, signal);
    if ('note' in asked) return byWordsAlone(lexical, [asked.note]);
    const cosines = await this.#cosines(spaces, asked.vector, lexical);
    if (cosines.size === 0) return byWordsAlone(lexical, [await this.#whyNone(spaces, asked.vector.length)]);
    const found = await this.#withNearest(spaces, search, lexical, cosines);
    const scores = found.map(({ row, bm25 }) => ({ lexical: bm25, cosine: cosines.get(row.text) }));
    const fused = fuse(scores, query.isSymbol ? WEIGHT.symbol : WEIGHT.language);
    return { candidates: found.map(({ row }, index) => candidateOf(row, fused[index]!)), mode: 'hybrid', notes: [] };
  }

  async #vectorOf(text: string, signal: AbortSignal) {
    try {
      const [vector] = await this.#embedder.embed([text], signal);
      return { vector: vector! };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EmbeddingError)) throw error;
      return { note: `${BY_WORDS}: ${error.message}` };
    }
  }

  async #whyNone(spaces: readonly Space[], length: number): Promise<string> {
    const { model } = this.#embedder;
    for (const { number } of spaces) {
      const found = (await this.#store.vectors.models(number)).find((one) => one.model === model);
      const stored = (found?.bytes ?? 0) / Float32Array.BYTES_PER_ELEMENT;
      if (stored > 0 && stored !== length)
        return `${BY_WORDS}: the index has vectors of ${stored} numbers, and the model ${model} gives ${length} now. Set "dimensions: ${length}" of embeddings in the config, so that they are made anew`;
    }
    return `${BY_WORDS}: no chunk has a vector yet`;
  }

  /** Returns the similarity of the candidates, and of the texts that are nearest of all, to the vector. */
  async #cosines(spaces: readonly Space[], vector: Float32Array, lexical: readonly Found[]) {
    const cosines = new Map<number, number>();
    const texts = new Set(lexical.map(({ row }) => row.text));
    for (const space of spaces) {
      const found = await this.#vectors.cosines({ space, model: this.#embedder.model }, vector, texts, NEAREST);
      for (const [text, cosine] of found) cosines.set(text, cosine);
    }
    return cosines;
  }

  /** Adds chunks that have no word of the query. */
  async #withNearest(
    spaces: readonly Space[],
    search: CandidateSearch,
    lexical: readonly Found[],
    cosines: ReadonlyMap<number, number>,
  ): Promise<readonly Found[]> {
    const known = new Set(lexical.map(({ row }) => row.text));
    const others = [...cosines.keys()].filter((text) => !known.has(text));
    const ids: number[] = [];
    for (const { number } of spaces)
      for (const { id } of await this.#store.vectors.chunksWith(number, others)) ids.push(id);
    const rows = await this.#store.terms.chunks(this.#store.sql, ids);
    return [...lexical, ...search.passing(rows).map((row) => ({ row, bm25: 0 }))];
  }
}
