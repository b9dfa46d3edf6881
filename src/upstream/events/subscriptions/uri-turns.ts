type Work = (done: () => void) => void;

/**
 * Does one thing at a time for each uri, in the order in which it was asked for, and at once where nothing is under way: the
 * requests of one uri must not overtake each other on their way to the server.
 */
export class UriTurns {
  /** The queues by uri. The first piece of work of each is under way. */
  readonly #queues = new Map<string, Work[]>();

  /** Starts `work` when its turn comes; it calls `done` when the next one may start. */
  run(uri: string, work: Work): void {
    const queue = this.#queues.get(uri);
    if (queue !== undefined) {
      queue.push(work);
      return;
    }
    this.#queues.set(uri, [work]);
    this.#start(uri, work);
  }

  #start(uri: string, work: Work): void {
    let isDone = false;
    work(() => {
      if (isDone) return;
      isDone = true;
      const queue = this.#queues.get(uri)!;
      queue.shift();
      const next = queue[0];
      if (next === undefined) this.#queues.delete(uri);
      else this.#start(uri, next);
    });
  }
}
