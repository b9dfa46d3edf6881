/** What a store still works on, so that closing it can wait for that. */
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
