import type { HttpEndpoint } from './endpoint.ts';
import type { HttpMessage } from './http-message.ts';

/** An id that is not one of ours, so that nothing waits for its response. */
export const CHECK_ID = 'session-check';
const PING = Buffer.from(`{"jsonrpc":"2.0","id":"${CHECK_ID}","method":"ping"}`);
/** The time to wait for a response, in milliseconds. A server that does not respond has not said that the session is gone. */
const PATIENCE_MS = 5_000;

export interface SessionCheckOptions {
  /** Returns the endpoint for a ping; `undefined` if it is not known yet. */
  readonly endpoint: () => HttpEndpoint | undefined;
  readonly headers: () => HttpMessage['headers'];
  /** The statuses of a ping that mean that the session is gone. */
  readonly gone: ReadonlySet<number>;
}

/**
 * Asks a server whether it still knows the session, after an answer that may mean that it does not. However many ask at a
 * time, it is asked once.
 */
export class SessionCheck {
  readonly #options: SessionCheckOptions;
  #asking: Promise<boolean> | undefined;

  constructor(options: SessionCheckOptions) {
    this.#options = options;
  }

  /** Returns true if the session exists. It also counts as existing if no response comes, because nothing says otherwise. */
  isAlive(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    const { endpoint, headers, gone } = this.#options;
    const message = { method: 'POST', headers: headers(), body: PING, isRepeatable: true } as const;
    const outcome = await endpoint()?.tell(message, PATIENCE_MS);
    return outcome === undefined || !('status' in outcome) || !gone.has(outcome.status);
  }
}
