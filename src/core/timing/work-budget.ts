export interface WorkLimits {
  /** The share of the time, in (0, 1), that the work may take in the long run. */
  readonly share: number;
  /** Work that may be done at once after a quiet time, in milliseconds. */
  readonly creditMs: number;
  /** The longest rest, in milliseconds, however long the work took. */
  readonly maxRestMs: number;
}

/** Limits work by what it costs: work that takes long is followed by a rest of many times that length. */
export class WorkBudget {
  readonly #limits: WorkLimits;
  #leftMs: number;
  #at = performance.now();

  constructor(limits: WorkLimits) {
    this.#limits = limits;
    this.#leftMs = limits.creditMs;
  }

  /** Counts work that took this long, in milliseconds. */
  spend(ms: number): void {
    const { share, maxRestMs } = this.#limits;
    this.#refill();
    this.#leftMs = Math.max(this.#leftMs - ms, -maxRestMs * share);
  }

  /** Returns how long to wait before there is more work, in milliseconds; 0 if it may be done now. */
  waitMs(): number {
    this.#refill();
    return this.#leftMs >= 0 ? 0 : Math.ceil(-this.#leftMs / this.#limits.share);
  }

  #refill(): void {
    const { share, creditMs } = this.#limits;
    const now = performance.now();
    this.#leftMs = Math.min(creditMs, this.#leftMs + (now - this.#at) * share);
    this.#at = now;
  }
}
