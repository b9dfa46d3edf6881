import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import { Matrix } from '../../vectors/matrix.ts';
import { vectorOf } from '../../vectors/vector-bytes.ts';

const ROWS_AT_ONCE = 2_000;
/** Spaces whose vectors stay in memory: those that were searched last. */
const MOST_SPACES = 2;

interface Kept {
  readonly matrix: Matrix;
  /** Version of the index from which they were read. */
  readonly mark: string;
}

/** The vectors of the spaces that were searched last. */
export class VectorCache {
  readonly #store: KnowledgeStore;
  readonly #kept = new Map<string, Kept>();

  constructor(store: KnowledgeStore) {
    this.#store = store;
  }

  /** Returns the vectors of a space that are of this model and length. */
  async of(space: Space, model: string, dimensions: number): Promise<Matrix> {
    const key = `${space.number} ${dimensions} ${model}`;
    const mark = await this.#store.vectors.mark(space.number, model);
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    const current = kept?.mark === mark ? kept : { matrix: await this.#read(space, model, dimensions), mark };
    this.#kept.set(key, current);
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MOST_SPACES) this.#kept.delete(oldest);
    return current.matrix;
  }

  async #read({ number, chunks }: Space, model: string, dimensions: number): Promise<Matrix> {
    const matrix = new Matrix(dimensions, chunks);
    for (let after = 0; ; ) {
      const rows = await this.#store.vectors.of(number, model, after, ROWS_AT_ONCE);
      for (const { text, body } of rows) matrix.add(text, vectorOf(body));
      if (rows.length < ROWS_AT_ONCE) return matrix;
      after = rows.at(-1)!.text;
    }
  }
}
