import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { ChunkRow, Space } from '../../../store/knowledge/rows.ts';
import { readQuery } from '../../ranking/query.ts';
import type { CollectionAnswer, CollectionHit, CollectionInfo, CollectionQuestion } from '../collections.ts';
import type { ChunkDetails } from '../runs/collection-writes.ts';
import { unpack } from '../texts/packed-text.ts';
import { CandidateSearch } from './candidates.ts';
import { VectorCache } from './vector-cache.ts';

/** The methods that read collections. */
export function collectionReads(store: KnowledgeStore) {
  const vectors = new VectorCache(store);
  return {
    listCollections: async () => {
      const infos: CollectionInfo[] = [];
      for (const space of await store.spaces.list('collection')) infos.push(await infoOf(store, space));
      return infos;
    },
    collection: async (_context: unknown, name: string) => {
      const space = await store.spaces.at('collection', name);
      return space && infoOf(store, space);
    },
    searchCollection: async (
      _context: unknown,
      name: string,
      question: CollectionQuestion,
    ): Promise<CollectionAnswer> => {
      const space = await store.spaces.at('collection', name);
      const mode = question.vector === undefined ? 'lexical' : 'cosine';
      if (space === undefined) return { mode, hits: [] };
      return mode === 'cosine' ? byVector(store, vectors, space, question) : byWords(store, space, question);
    },
  };
}

async function infoOf(store: KnowledgeStore, { number, place, chunks, files }: Space): Promise<CollectionInfo> {
  const [most] = await store.vectors.models(number);
  const texts = most === undefined ? 0 : await store.vectors.texts(number);
  return {
    name: place,
    points: chunks,
    sources: files,
    status: most === undefined || most.count >= texts ? 'green' : 'yellow',
    model: most?.model,
    dimensions: most === undefined ? undefined : most.bytes / 4,
  };
}

async function byVector(
  store: KnowledgeStore,
  vectors: VectorCache,
  space: Space,
  { topK, vector }: CollectionQuestion,
): Promise<CollectionAnswer> {
  const { model, values } = vector!;
  const near = await vectors.nearest({ space, model }, values, topK);
  const cosines = new Map(near.map(({ text, cosine }) => [text, cosine] as const));
  const chunks = await store.vectors.chunksWith(space.number, [...cosines.keys()]);
  const rows = await store.terms.chunks(
    store.sql,
    chunks.map(({ id }) => id),
  );
  const hits = rows.map((row) => hitOf(row, Math.min(1, Math.max(0, cosines.get(row.text)!))));
  return { mode: 'cosine', hits: hits.sort(bestFirst).slice(0, topK) };
}

async function byWords(
  store: KnowledgeStore,
  space: Space,
  { text, topK }: CollectionQuestion,
): Promise<CollectionAnswer> {
  const search = new CandidateSearch(store, [space], readQuery(text), {});
  const found = await search.find();
  const most = search.best();
  const hits = found.map(({ row, bm25 }) => hitOf(row, most === 0 ? 0 : Math.min(1, bm25 / most)));
  return { mode: 'lexical', hits: hits.sort(bestFirst).slice(0, topK) };
}

function hitOf(row: ChunkRow, score: number): CollectionHit {
  const details = JSON.parse(row.details ?? '{}') as ChunkDetails;
  return { text: unpack(row), source: row.path, ...details, score };
}

function bestFirst(one: CollectionHit, other: CollectionHit): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return one.chunkIndex - other.chunkIndex;
}
