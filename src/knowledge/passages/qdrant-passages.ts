import type { Embedder } from '../embeddings/embedder.ts';
import { EmbeddingError } from '../embeddings/embedding-error.ts';
import { type FoundPoint, type Qdrant, QdrantError } from '../qdrant/qdrant.ts';
import {
  CollectionError,
  type CollectionStats,
  type Found,
  type FoundPassage,
  type Passage,
  type PassageStore,
  type Question,
  type Stored,
} from './passage-store.ts';
import { pointId } from './point-id.ts';

export interface QdrantPassagesOptions {
  readonly qdrant: Qdrant;
  /** For questions, whose asker waits. */
  readonly questions: Embedder;
  /** For passages. */
  readonly texts: Embedder;
}

/** Collections in Qdrant, with points as go-rag writes them: those that go-rag has made are read as they are. */
export class QdrantPassages implements PassageStore {
  readonly #options: QdrantPassagesOptions;

  constructor(options: QdrantPassagesOptions) {
    this.#options = options;
  }

  list(signal: AbortSignal): Promise<readonly string[]> {
    return inWords(this.#options.qdrant.names(signal));
  }

  async stats(name: string, signal: AbortSignal): Promise<CollectionStats> {
    const info = await inWords(this.#options.qdrant.collection(name, signal));
    if (info === undefined) throw missing(name);
    return { points: info.points, status: STATUSES.has(info.status) ? info.status : 'unknown' };
  }

  prepare(name: string, { recreate }: { readonly recreate: boolean }, signal: AbortSignal): Promise<void> {
    return inWords(this.#prepare(name, recreate, signal));
  }

  /** A trial tells whether the model is there, and how long its vectors are, before anything is deleted. */
  async #prepare(name: string, recreate: boolean, signal: AbortSignal): Promise<void> {
    const { qdrant, texts } = this.#options;
    const [[trial], info] = await Promise.all([texts.embed(['trial'], signal), qdrant.collection(name, signal)]);
    const { length } = trial!;
    if (info !== undefined && !recreate) return checkLength(name, info.dimensions, { length, model: texts.model });
    if (info !== undefined) await qdrant.remove(name, signal);
    await qdrant.create(name, length, signal);
  }

  replaceSource(name: string, source: string, passages: readonly Passage[], signal: AbortSignal): Promise<Stored> {
    return inWords(this.#replaceSource(name, source, passages, signal));
  }

  async #replaceSource(
    name: string,
    source: string,
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<Stored> {
    const { qdrant, texts } = this.#options;
    const vectors = await texts.embed(
      passages.map(({ text }) => text),
      signal,
    );
    const points = passages.map((passage, index) => ({
      id: pointId(passage),
      vector: vectors[index]!,
      payload: payloadOf(passage),
    }));
    await qdrant.upsert(name, points, signal);
    await qdrant.deleteSource(
      name,
      source,
      points.map(({ id }) => id),
      signal,
    );
    return {};
  }

  search(name: string, question: Question, signal: AbortSignal): Promise<Found> {
    return inWords(this.#search(name, question, signal));
  }

  async #search(name: string, { text, limit, threshold }: Question, signal: AbortSignal): Promise<Found> {
    const { qdrant, questions } = this.#options;
    const [vector] = await questions.embed([text], signal);
    const points = await qdrant.query(name, vector!, limit, signal);
    if (points === undefined) throw missing(name);
    return { mode: 'vector', passages: points.map(passageOf).filter(({ score }) => score >= threshold) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const STATUSES: ReadonlySet<string> = new Set(['green', 'yellow', 'red']);

async function inWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QdrantError || error instanceof EmbeddingError)
      throw new CollectionError('service', error.message, error);
    throw error;
  }
}

function missing(name: string): CollectionError {
  return new CollectionError('missing', `there is no collection ${name}: rag_ingest makes it`);
}

function checkLength(
  name: string,
  dimensions: number | undefined,
  { length, model }: { readonly length: number; readonly model: string },
): void {
  if (dimensions === length) return;
  const has = dimensions === undefined ? 'has several vectors a point' : `has vectors of ${dimensions} numbers`;
  const what = `the collection ${name} ${has}, and the model ${model} gives ${length}`;
  throw new CollectionError('service', `${what}: use the model that it was made with, or recreate it`);
}

function payloadOf({ text, source, section, category, chunkIndex }: Passage): Readonly<Record<string, unknown>> {
  return { text, source, section, category, chunk_index: chunkIndex };
}

function passageOf({ score, payload }: FoundPoint): FoundPassage {
  return {
    text: textIn(payload.text),
    source: textIn(payload.source),
    section: textIn(payload.section),
    category: textIn(payload.category),
    chunkIndex: Number.isInteger(payload.chunk_index) ? Number(payload.chunk_index) : 0,
    score,
  };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
