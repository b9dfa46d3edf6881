import type { Embedder } from '../embeddings/embedder.ts';
import { EmbeddingError } from '../embeddings/embedding-error.ts';
import type { CollectionAnswer, CollectionInfo, CollectionQuestion, Collections } from '../index/collections.ts';
import {
  CollectionError,
  type CollectionStats,
  type Found,
  type Passage,
  type PassageStore,
  type Question,
  type Stored,
} from './passage-store.ts';

type Vector = NonNullable<CollectionQuestion['vector']>;

/** The service that gives vectors. */
export interface OwnEmbedders {
  /** For questions, whose asker waits. */
  readonly questions: Embedder;
  /** For passages. */
  readonly texts: Embedder;
}

export interface OwnPassagesOptions {
  readonly collections: Collections;
  /** The embedders; if absent, passages are found by their words. */
  readonly embedders?: OwnEmbedders | undefined;
  readonly close: () => Promise<void>;
}

/** Collections in the gateway's own database. They need no service; without one, or while it is down, words are compared. */
export class OwnPassages implements PassageStore {
  readonly #options: OwnPassagesOptions;

  constructor(options: OwnPassagesOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly string[]> {
    return (await this.#options.collections.list()).map(({ name }) => name).sort();
  }

  async stats(name: string): Promise<CollectionStats> {
    const { points, status } = await this.#info(name);
    return { points, status };
  }

  async prepare(name: string, { recreate }: { readonly recreate: boolean }): Promise<void> {
    const { collections } = this.#options;
    if (recreate) await collections.drop(name);
    await collections.create(name);
  }

  async replaceSource(
    name: string,
    source: string,
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<Stored> {
    const { vectors, note } = await this.#vectorsOf(passages, signal);
    const chunks = passages.map(({ text, section, category, chunkIndex }, index) => ({
      text,
      section,
      category,
      chunkIndex,
      vector: vectors?.[index],
    }));
    await this.#options.collections.replaceSource(name, source, chunks);
    return note === undefined ? {} : { note };
  }

  async search(name: string, question: Question, signal: AbortSignal): Promise<Found> {
    const info = await this.#info(name);
    const { vector, note } = await this.#vectorOf(question.text, info, signal);
    const asked = { text: question.text, topK: question.limit, vector };
    const { mode, hits } = await this.#options.collections.search(name, asked);
    const least = mode === 'cosine' ? question.threshold : Number.NEGATIVE_INFINITY;
    return {
      mode: MODES[mode],
      passages: hits.filter(({ score }) => score >= least),
      ...(note !== undefined && { note }),
    };
  }

  close(): Promise<void> {
    return this.#options.close();
  }

  async #info(name: string): Promise<CollectionInfo> {
    const info = await this.#options.collections.get(name);
    if (info === undefined) throw new CollectionError('missing', `there is no collection ${name}: rag_ingest makes it`);
    return info;
  }

  /** Returns the vectors of passages. If the service is down, only the vectors are missing, not the passages. */
  async #vectorsOf(
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<{ readonly vectors?: readonly Vector[]; readonly note?: string }> {
    const texts = this.#options.embedders?.texts;
    if (texts === undefined) return {};
    try {
      const { model } = texts;
      const found = await texts.embed(
        passages.map(({ text }) => text),
        signal,
      );
      return { vectors: found.map((values) => ({ model, values })) };
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      return { note: `kept without vectors, found by its words: ${error.message}` };
    }
  }

  /** Vectors are compared where all passages have one of this model; otherwise passages without one would never be found. */
  async #vectorOf(
    question: string,
    { name, points, model, dimensions, status }: CollectionInfo,
    signal: AbortSignal,
  ): Promise<{ readonly vector?: Vector; readonly note?: string }> {
    const questions = this.#options.embedders?.questions;
    if (questions === undefined || points === 0) return {};
    const unlike = {
      note: `not all of ${name} has vectors of the model ${questions.model}: ingest its documents again`,
    };
    if (model !== questions.model || status !== 'green') return unlike;
    try {
      const [values] = await questions.embed([question], signal);
      return values!.length === dimensions ? { vector: { model, values: values! } } : unlike;
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      return { note: error.message };
    }
  }
}

const MODES: Readonly<Record<CollectionAnswer['mode'], Found['mode']>> = { cosine: 'vector', lexical: 'lexical' };
