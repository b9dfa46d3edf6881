import type { Space } from '../../../store/knowledge/rows.ts';
import { embedMissing } from './embed-missing.ts';
import type { IndexContext } from './index-context.ts';
import type { Indexer } from './indexer.ts';

/** The number of texts that are embedded at once; more are a run of their own, which is visible as one. */
const MOST_AT_ONCE = 200;
/** The time for which a service that gave no vectors is not asked again. */
const REST_MS = 60_000;

/** Gives texts the vectors that they lack, in the background: until then they are found by their words. */
export class MissingVectors {
  readonly #context: IndexContext;
  readonly #indexer: Indexer;
  readonly #filling = new Map<number, Promise<void>>();
  /** Spaces with texts that came while others were being filled. */
  readonly #again = new Set<number>();
  readonly #end = new AbortController();
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(context: IndexContext, indexer: Indexer) {
    this.#context = context;
    this.#indexer = indexer;
  }

  /** Begins to fill a space, and returns at once. */
  fill(space: Space): void {
    const { number } = space;
    if (this.#context.embedder === undefined || this.#end.signal.aborted) return;
    if (this.#filling.has(number)) {
      this.#again.add(number);
      return;
    }
    const filling = this.#fillAll(space)
      // The next look through the folder begins again.
      .catch(() => this.#rest())
      .finally(() => this.#filling.delete(number));
    this.#filling.set(number, filling);
  }

  async close(): Promise<void> {
    this.#end.abort(new Error('the gateway ends'));
    await Promise.all(this.#filling.values());
  }

  async #fillAll(space: Space): Promise<void> {
    do {
      this.#again.delete(space.number);
      if (performance.now() < this.#restsUntil) return;
      const failure = await this.#fillOnce(space);
      if (failure !== undefined) return this.#rest();
    } while (this.#again.has(space.number));
  }

  /** Returns why texts are still without vectors. */
  async #fillOnce(space: Space): Promise<string | undefined> {
    const { store, embedder } = this.#context;
    const missing = await store.vectors.missing(space.number, embedder!);
    if (missing.length === 0) return undefined;
    if (missing.length <= MOST_AT_ONCE) return embedMissing(this.#context, space, undefined, this.#end.signal);
    this.#end.signal.throwIfAborted();
    const { errors } = await this.#indexer.begin(space, false).outcome;
    return errors[0];
  }

  #rest(): void {
    this.#restsUntil = performance.now() + REST_MS;
  }
}
