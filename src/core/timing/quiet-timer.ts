export interface QuietRules {
  /** The time without activity after which it is quiet, in milliseconds. */
  readonly quietMs: number;
  /** The longest wait, from the first activity on, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Calls `onQuiet` once after each phase of activity. It does not keep the process alive. */
export class QuietTimer {
  readonly #rules: QuietRules;
  readonly #onQuiet: () => void;
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #lastAt = 0;

  constructor(rules: QuietRules, onQuiet: () => void) {
    this.#rules = rules;
    this.#onQuiet = onQuiet;
  }

  /** Notes activity. It is cheap: it may be called for each call. */
  touch(): void {
    this.#lastAt = performance.now();
    if (this.#timer !== undefined) return;
    this.#firstAt = this.#lastAt;
    this.#lookAfter(this.#rules.quietMs);
  }

  /** Forgets the activity so far. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    const now = performance.now();
    const dueAt = Math.min(this.#lastAt + this.#rules.quietMs, this.#firstAt + this.#rules.maxWaitMs);
    // Timers may be early by a part of a millisecond.
    if (dueAt - now >= 1) {
      this.#lookAfter(dueAt - now);
      return;
    }
    this.#timer = undefined;
    this.#onQuiet();
  }
}
