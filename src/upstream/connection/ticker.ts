/** Calls a function at regular times while it is switched on. It does not keep the process alive. */
export class Ticker {
  readonly #ms: number;
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms the time from one call to the next */
  constructor(ms: number, onTick: () => void) {
    this.#ms = ms;
    this.#onTick = onTick;
  }

  /** Switches it on; no effect if it is on. */
  start(): void {
    this.#timer ??= setInterval(this.#onTick, this.#ms).unref();
  }

  /** Switches it off. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
