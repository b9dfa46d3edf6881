import { ServiceError } from '../services/ask-service.ts';

/** Limits on the time of one answer, in milliseconds. */
export interface PatienceLimits {
  readonly firstTokenMs: number;
  readonly idleMs: number;
  readonly timeoutMs: number;
}

/**
 * Ends a request that takes too long: its `signal` is aborted when the first text, the next piece or the end of the answer
 * does not come in time, or when `call` is aborted.
 */
export class Patience {
  readonly signal: AbortSignal;
  readonly #limits: PatienceLimits;
  readonly #ended = new AbortController();
  readonly #whole: NodeJS.Timeout;
  #next: NodeJS.Timeout;
  #hasBegun = false;

  constructor(limits: PatienceLimits, call: AbortSignal) {
    this.#limits = limits;
    this.signal = AbortSignal.any([call, this.#ended.signal]);
    const { firstTokenMs, timeoutMs } = limits;
    this.#next = this.#after(firstTokenMs, `gives no text within ${firstTokenMs / 1_000} s`);
    this.#whole = this.#after(timeoutMs, `has not ended its answer after ${timeoutMs / 1_000} s`);
  }

  /** The model has begun: its first text is there, or the first of its thoughts. */
  onBegin(): void {
    this.#hasBegun = true;
    this.onPiece();
  }

  /** Called when a piece of the response has arrived. */
  onPiece(): void {
    if (!this.#hasBegun) return;
    clearTimeout(this.#next);
    const { idleMs } = this.#limits;
    this.#next = this.#after(idleMs, `sends nothing for ${idleMs / 1_000} s amid its answer`);
  }

  /** Stops waiting. A body that was not read to its end would keep its connection open, so it is ended. */
  stop(): void {
    clearTimeout(this.#next);
    clearTimeout(this.#whole);
    this.#ended.abort();
  }

  #after(ms: number, words: string): NodeJS.Timeout {
    return setTimeout(() => this.#ended.abort(new ServiceError('timeout', words)), ms);
  }
}
