export interface BudgetLimits {
  /** The number allowed at once after a quiet time. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts what may be done: a number at once, and a number a second in the long run. */
export class Budget {
  readonly #limits: BudgetLimits;
  #left: number;
  #paidAt = performance.now();

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#left = limits.burst;
  }

  /** Returns true if one more is allowed now. */
  take(): boolean {
    const now = performance.now();
    const { burst, perSecond } = this.#limits;
    this.#left = Math.min(burst, this.#left + ((now - this.#paidAt) / 1_000) * perSecond);
    this.#paidAt = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
