import type { ServerFacts } from '../connection/handshake.ts';
import type { ConnectionState } from '../connection/machine.ts';

const TROUBLES: ReadonlySet<string> = new Set(['backoff', 'crash-loop', 'failed', 'needs-auth']);

/** Remembers what a server said of itself, and the trouble that it was in last. */
export class ServerRecord {
  #facts: ServerFacts | undefined;
  #lastError: string | undefined;

  /** The facts of the last handshake, even if the connection has ended. */
  get facts(): ServerFacts | undefined {
    return this.#facts;
  }

  /** The reason for its last trouble; `undefined` once it has connected again. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  onConnected(facts: ServerFacts): void {
    this.#facts = facts;
    this.#lastError = undefined;
  }

  /** Notes a state. Returns whether it is one of trouble: the connection has failed or ended, and not by hand. */
  onState(state: ConnectionState): boolean {
    const isTrouble = TROUBLES.has(state.name) || (state.name === 'stopped' && !state.byHand);
    if (isTrouble && 'reason' in state) this.#lastError = state.reason;
    return isTrouble;
  }
}
