import PQueue from 'p-queue';

/** A piece of work in a lane. */
export interface LaneWork {
  /** Starts the work. It calls `done` once, when it has ended. */
  begin(done: () => void): void;
}

/** Gives up a place among those that wait. It has no effect on work that has begun. */
export type Leave = () => void;

/**
 * Runs at most `limit` pieces of work at a time, the others in order of arrival. p-queue does the queueing, but it costs more
 * than the rest of a call. So while there is room, work runs beside the queue, and `#beside` counts it. When the first
 * piece has to wait, the work that runs beside the queue gets places in it (`#enter`): from then on p-queue sees all work
 * and keeps to the limit by itself.
 */
export class CallLane {
  readonly #queue: PQueue;
  /** The number of pieces that run beside the queue. */
  #beside = 0;
  /** Frees the places in the queue of work that began beside it. */
  readonly #places: (() => void)[] = [];

  constructor(limit: number) {
    this.#queue = new PQueue({ concurrency: limit });
  }

  /** Sets another limit. Work that has begun beyond it goes on. */
  setLimit(limit: number): void {
    this.#queue.concurrency = limit;
  }

  /**
   * Begins the work, now or when there is room.
   * @returns how work that waits can leave; `undefined` for work that has begun
   */
  run(work: LaneWork): Leave | undefined {
    const queue = this.#queue;
    if (queue.size > 0 || queue.pending + this.#beside >= queue.concurrency) {
      this.#enter();
      return this.#enqueue(work);
    }
    this.#beside++;
    work.begin(this.#end);
    return undefined;
  }

  /** Ends a piece of work that began beside the queue. Those with a place go first: other work may wait for the place. */
  readonly #end = (): void => {
    const free = this.#places.shift();
    if (free === undefined) this.#beside--;
    else free();
  };

  #enter(): void {
    for (; this.#beside > 0; this.#beside--) {
      const ended = new Promise<void>((resolve) => this.#places.push(resolve));
      void this.#queue.add(() => ended);
    }
  }

  #enqueue(work: LaneWork): Leave | undefined {
    const leaving = new AbortController();
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return new Promise<void>((resolve) => work.begin(resolve));
    };
    this.#queue.add(begin, { signal: leaving.signal }).catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    // p-queue takes an abort of work that runs for its end, and would start another piece beside it.
    const leave = () => {
      if (!hasBegun) leaving.abort();
    };
    return hasBegun ? undefined : leave;
  }
}
