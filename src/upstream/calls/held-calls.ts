import type { GatewayError } from '../../core/errors.ts';

/** A call that can be answered with an error instead of being held. */
export interface HeldCall {
  fail(error: GatewayError): void;
}

/** The calls that wait for a connection, each for a limited time. */
export class HeldCalls<Call extends HeldCall> {
  /** Their timers. */
  readonly #held = new Map<Call, NodeJS.Timeout>();

  get size(): number {
    return this.#held.size;
  }

  /**
   * Holds a call for `limitMs` milliseconds. Then it fails with the error from `lateError`, and the code that receives
   * the error calls `remove`.
   */
  hold(call: Call, limitMs: number, lateError: () => GatewayError): void {
    this.#held.set(
      call,
      setTimeout(() => call.fail(lateError()), limitMs),
    );
  }

  /** Forgets a call. No effect where it is not held. */
  remove(call: Call): void {
    if (this.#held.size === 0) return;
    clearTimeout(this.#held.get(call));
    this.#held.delete(call);
  }

  /** Returns all calls, in order of arrival, and holds none of them any more. */
  release(): readonly Call[] {
    const calls = [...this.#held.keys()];
    for (const timer of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
    return calls;
  }
}
