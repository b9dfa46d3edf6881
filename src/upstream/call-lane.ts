import PQueue from 'p-queue';

/** Starts a piece of work; `done` must be called when it has ended, once. */
export type Start = (done: () => void) => void;

/**
 * Runs at most `limit` pieces of work at a time, the others in order of arrival. While there is room nothing is queued:
 * p-queue costs more than the rest of a call, so it is asked only once calls must wait.
 */
export class CallLane {
  readonly #limit: number;
  readonly #queue: PQueue;
  #direct = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#queue = new PQueue({ concurrency: limit });
  }

  /** Pieces of work that wait for room. */
  get waiting(): number {
    return this.#queue.size;
  }

  run(start: Start): void {
    if (this.#queue.size + this.#queue.pending === 0 && this.#direct < this.#limit) {
      this.#direct++;
      start(this.#release);
      return;
    }
    this.#share();
    void this.#queue.add(() => new Promise<void>((resolve) => start(resolve)));
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
