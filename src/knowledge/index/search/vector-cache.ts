import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { TextVector } from '../../../store/knowledge/vectors.ts';
import { Matrix, type Near } from '../../vectors/matrix.ts';
import { vectorOf } from '../../vectors/vector-bytes.ts';

const BYTES_PER_NUMBER = Float32Array.BYTES_PER_ELEMENT;
const TEXTS_AT_ONCE = 1_000;
/** Room for the vectors of 250,000 texts, if each has 768 numbers. */
const MOST_BYTES = 768 * 1024 ** 2;

interface Kept {
  /** Its vectors may still be read. */
  readonly matrix: Promise<Matrix>;
  /** Version of the index from which they were read. */
  readonly mark: string;
  readonly bytes: number;
}

/** The vectors of a space that are of one model. */
export interface VectorsOf {
  readonly space: Space;
  readonly model: string;
}

/** Compares vectors. Those of the spaces that were searched last stay in memory. */
export class VectorCache {
  readonly #store: KnowledgeStore;
  readonly #mostBytes: number;
  /** The one that was used last is the last one. */
  readonly #kept = new Map<string, Kept>();

  /** Keeps at most `mostBytes` of vectors. */
  constructor(store: KnowledgeStore, mostBytes = MOST_BYTES) {
    this.#store = store;
    this.#mostBytes = mostBytes;
  }

  /** The memory for cached vectors. */
  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns the texts of a space that are nearest to a vector, nearest first. Too many to be kept are read each time. */
  async nearest(of: VectorsOf, vector: Float32Array, count: number): Promise<readonly Near[]> {
    const matrix = await this.#matrix(of, vector.length);
    if (matrix !== undefined) return matrix.nearest(vector, count);
    let best: readonly Near[] = [];
    const texts = await this.#store.vectors.textsWith(of.space.number, of.model);
    for await (const part of this.#parts(of.model, texts, vector.length))
      best = [...best, ...part.nearest(vector, count)].sort((one, other) => other.cosine - one.cosine).slice(0, count);
    return best;
  }

  /** Returns the cosines of these texts and of the nearest of all; only of these where all are too many to be kept. */
  async cosines(of: VectorsOf, vector: Float32Array, texts: ReadonlySet<number>, nearest: number) {
    const matrix = await this.#matrix(of, vector.length);
    if (matrix === undefined) return this.#cosinesOf(of.model, vector, texts);
    const near = matrix.nearest(vector, nearest).map(({ text, cosine }) => [text, cosine] as const);
    return new Map([...near, ...matrix.cosines(vector, texts)]);
  }

  async #cosinesOf(model: string, vector: Float32Array, texts: ReadonlySet<number>): Promise<Map<number, number>> {
    const cosines = new Map<number, number>();
    for await (const part of this.#parts(model, [...texts], vector.length))
      for (const [text, cosine] of part.cosines(vector, texts)) cosines.set(text, cosine);
    return cosines;
  }

  /** Returns the vectors that are of this length; `undefined` if they are too many to be kept. */
  async #matrix(of: VectorsOf, dimensions: number): Promise<Matrix | undefined> {
    const { space, model } = of;
    const bytes = space.chunks * (dimensions + 1) * BYTES_PER_NUMBER;
    if (bytes > this.#mostBytes) return undefined;
    const key = `${space.number} ${dimensions} ${model}`;
    const mark = await this.#store.vectors.mark(space.number);
    const kept = this.#kept.get(key);
    const current = kept?.mark === mark ? kept : { matrix: this.#current(of, dimensions, kept?.matrix), mark, bytes };
    this.#use(key, current);
    try {
      return await current.matrix;
    } catch (error) {
      if (this.#kept.get(key) === current) this.#kept.delete(key);
      throw error;
    }
  }

  /** The ones that were used least recently leave. */
  #use(key: string, current: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, current);
    for (const oldest of this.#kept.keys()) if (this.bytes > this.#mostBytes) this.#kept.delete(oldest);
  }

  /** Reads what has come since the vectors were read, and takes out what has gone. */
  async #current({ space, model }: VectorsOf, dimensions: number, before: Promise<Matrix> | undefined) {
    const matrix = (await before?.catch(() => undefined)) ?? new Matrix(dimensions, space.chunks);
    const texts = new Set(await this.#store.vectors.textsWith(space.number, model));
    matrix.retain(texts);
    for (const text of matrix.texts()) texts.delete(text);
    for await (const rows of this.#rows(model, [...texts]))
      for (const { text, body } of rows) matrix.add(text, vectorOf(body));
    return matrix;
  }

  async *#parts(model: string, texts: readonly number[], dimensions: number): AsyncGenerator<Matrix> {
    for await (const rows of this.#rows(model, texts)) {
      const part = new Matrix(dimensions, rows.length);
      for (const { text, body } of rows) part.add(text, vectorOf(body));
      yield part;
    }
  }

  async *#rows(model: string, texts: readonly number[]): AsyncGenerator<readonly TextVector[]> {
    for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE)
      yield await this.#store.vectors.among(model, texts.slice(at, at + TEXTS_AT_ONCE));
  }
}
