/** Tracks the operations of a store that are under way, so that closing it can wait for them. */
export class UnderWay {
  readonly #operations = new Set<Promise<unknown>>();

  /** The same operation, known until it has ended. */
  async add<T>(operation: Promise<T>): Promise<T> {
    this.#operations.add(operation);
    try {
      return await operation;
    } finally {
      this.#operations.delete(operation);
    }
  }

  /** Resolves when what was added so far has ended, well or not. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#operations);
  }
}
