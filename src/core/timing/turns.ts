/** Lets one after the other work, in the order in which they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** True if no work runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when it is the caller's turn, with what ends it. */
  async next(): Promise<() => void> {
    const before = this.#last;
    let end!: () => void;
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    this.#waiting++;
    await before;
    return () => {
      this.#waiting--;
      end();
    };
  }
}
