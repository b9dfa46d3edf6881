import type { Clock } from '../../../services/clock.ts';

export interface ReconnectPausesOptions {
  /** The first pause, in milliseconds. */
  readonly reconnectMs: number;
  readonly maxReconnectMs: number;
}

/**
 * The pauses between attempts to reach a backend. They double from attempt to attempt until one brings a message: a
 * backend that accepts and says nothing counts as one that is not there.
 */
export class ReconnectPauses {
  readonly #options: ReconnectPausesOptions;
  readonly #clock: Clock;
  /** True once the backend has sent a message since the last pause. */
  #wasHeard = false;
  /** Attempts that ended without a message, since the last one that brought one. */
  #attempts = 0;

  constructor(options: ReconnectPausesOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** True if the end of the present attempt is the first failure in a row. */
  get isFirstFailure(): boolean {
    return this.#wasHeard || this.#attempts === 0;
  }

  /** The backend has sent a message. */
  onMessage(): void {
    this.#wasHeard = true;
  }

  /** Waits after an attempt. @throws the reason of `signal` when that is aborted */
  wait(signal: AbortSignal): Promise<void> {
    const { reconnectMs, maxReconnectMs } = this.#options;
    this.#attempts = this.#wasHeard ? 1 : this.#attempts + 1;
    this.#wasHeard = false;
    return this.#clock.wait(Math.min(maxReconnectMs, reconnectMs * 2 ** Math.min(30, this.#attempts - 1)), signal);
  }
}
