import type { ConnectionState } from '../connection/machine.ts';

/** Waits until a connection is in some state. */
export class StateWaiters {
  readonly #state: () => ConnectionState;
  #waiters: (() => void)[] = [];

  constructor(state: () => ConnectionState) {
    this.#state = state;
  }

  /** The state has changed. */
  onState(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  /** Returns the first state, now or later, that meets the condition. */
  async until(condition: (state: ConnectionState) => boolean): Promise<ConnectionState> {
    while (!condition(this.#state())) await new Promise<void>((resolve) => this.#waiters.push(resolve));
    return this.#state();
  }
}
