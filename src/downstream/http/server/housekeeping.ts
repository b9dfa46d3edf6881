const LOOK_MS = 5_000;
/** Streams and calls get a sign of life this often. */
const KEEP_ALIVE_MS = 15_000;

/** Things to do now and then. `now` counts as `performance.now()` does. */
export interface Chores {
  /** Ends what is over: each time. */
  tidy(now: number): void;
  /** Gives signs of life: less often. */
  keepAlive(now: number): void;
}

/** Does the chores of a server while it runs. */
export class Housekeeping {
  readonly #chores: Chores;
  #timer: NodeJS.Timeout | undefined;
  #keptAliveAt = performance.now();

  constructor(chores: Chores) {
    this.#chores = chores;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    this.#chores.tidy(now);
    if (now - this.#keptAliveAt < KEEP_ALIVE_MS) return;
    this.#keptAliveAt = now;
    this.#chores.keepAlive(now);
  }
}
