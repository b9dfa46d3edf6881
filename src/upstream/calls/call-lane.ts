import PQueue from 'p-queue';

/** Starts a piece of work; `done` must be called when it has ended, once. */
export type Start = (done: () => void) => void;

/** Gives up a place among those that wait; no effect on what has begun. */
export type Leave = () => void;

/**
 * Runs at most `limit` pieces of work at a time, the others in order of arrival. While there is room nothing is queued:
 * p-queue costs more than the rest of a call, so it is asked only once calls must wait.
 */
export class CallLane {
  #limit: number;
  readonly #queue: PQueue;
  #direct = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#queue = new PQueue({ concurrency: limit });
  }

  /** Another limit holds from now on. What has begun beyond it goes on. */
  setLimit(limit: number): void {
    this.#limit = limit;
    if (this.#queue.size > 0) this.#share();
  }

  /** Begins the work, now or when there is room. For work that waits it returns how it can leave. */
  run(start: Start): Leave | undefined {
    if (this.#queue.size + this.#queue.pending === 0 && this.#direct < this.#limit) {
      this.#direct++;
      start(this.#release);
      return undefined;
    }
    this.#share();
    return this.#enqueue(start);
  }

  #enqueue(start: Start): Leave | undefined {
    const leaving = new AbortController();
    let hasBegun = false;
    const work = () => {
      hasBegun = true;
      return new Promise<void>((resolve) => start(resolve));
    };
    this.#queue.add(work, { signal: leaving.signal }).catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    const leave = () => {
      // Work that was aborted while it runs would give its room to another, and still run.
      if (!hasBegun) leaving.abort();
    };
    return hasBegun ? undefined : leave;
  }

  readonly #release = (): void => {
    this.#direct--;
    if (this.#queue.size > 0) this.#share();
  };

  /** What runs directly and what runs from the queue together keep to the limit. */
  #share(): void {
    const room = this.#limit - this.#direct;
    if (room <= 0) {
      this.#queue.pause();
      return;
    }
    this.#queue.concurrency = room;
    this.#queue.start();
  }
}
