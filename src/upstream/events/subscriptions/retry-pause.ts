const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/** Makes what ends or fails again and again wait longer each time before it is tried once more. */
export class RetryPause {
  readonly #retry: () => void;
  /** The number of failures in a row. */
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  /** Retries after a pause. What had lasted for longer than the longest pause counts as the first failure. */
  begin(lastedMs: number): void {
    this.#failures = lastedMs > MAX_DELAY_MS ? 1 : this.#failures + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#failures - 1), MAX_DELAY_MS);
    this.cancel();
    this.#timer = setTimeout(this.#retry, delayMs).unref();
  }

  /** Gives up a retry that waits; the next pause is longer all the same. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  /** Gives up a retry that waits, and forgets all failures. */
  reset(): void {
    this.cancel();
    this.#failures = 0;
  }
}
