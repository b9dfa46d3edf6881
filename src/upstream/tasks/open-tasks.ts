/** The number of tasks that are remembered; the oldest is forgotten first. */
const MAX_TASKS = 1_000;
/** The number of tasks that a server is asked about at once, and the time between two rounds of questions, in milliseconds. */
const ASKED_AT_ONCE = 20;
const ASK_MS = 5_000;

/** Remembers which tasks of a server still run, as far as it is known. Servers need not tell when a task ends. */
export class OpenTasks {
  /** Own ids, those that were asked about longest ago first. */
  readonly #ids = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#ids.size;
  }

  /** Notes what a message says about a task. */
  note(ownId: string, isOver: boolean): void {
    if (isOver) this.#ids.delete(ownId);
    else this.#ids.add(ownId);
    if (this.#ids.size > MAX_TASKS) this.#ids.delete(this.#ids.keys().next().value!);
  }

  /** The server has gone. */
  clear(): void {
    this.#ids.clear();
  }

  /**
   * Asks about some of the tasks, unless that was done a few seconds ago.
   * @param isOver asks the server about one task, by its own id; must not reject
   */
  ask(isOver: (ownId: string) => Promise<boolean>): void {
    const now = performance.now();
    if (now - this.#askedAt < ASK_MS) return;
    this.#askedAt = now;
    for (const ownId of [...this.#ids].slice(0, ASKED_AT_ONCE)) {
      this.#ids.delete(ownId);
      this.#ids.add(ownId);
      void isOver(ownId).then((isNow) => {
        if (isNow) this.#ids.delete(ownId);
      });
    }
  }
}
