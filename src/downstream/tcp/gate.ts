import type { TokenBuckets } from '../../core/timing/token-bucket.ts';
import type { Message } from '../../wire/message.ts';
import type { Credential } from '../http/auth/credential.ts';
import type { Refused } from '../stream-client.ts';
import { withoutPresented } from './presented.ts';

export interface GateOptions {
  readonly credential: Credential;
  readonly address: string;
  /** Id of the connection. */
  readonly id: string;
  /** Requests of one principal, else connection, else address; `undefined` if they are not limited. */
  readonly rates: () => TokenBuckets | undefined;
}

const EXPIRED: Refused = {
  refused: { code: -32600, message: 'Unauthorized: the bearer token has expired; connect again with a new one' },
};

/** Decides about each message of one connection: it stays within the limits, and takes nothing along that is secret. */
export class Gate {
  readonly #options: GateOptions;
  #isKnown = false;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Returns the message as it goes on, or why it does not. */
  pass(message: Message): Message | Refused {
    if (message.kind !== 'request') return withoutPresented(message);
    if (this.#options.credential.expiresAt <= Date.now()) return EXPIRED;
    const waitMs = this.#options.rates()?.take(this.#payer) ?? 0;
    if (waitMs > 0) return tooMany(waitMs);
    this.#isKnown = true;
    return withoutPresented(message);
  }

  /**
   * Returns the party that requests are counted for. Until a first request has passed, connections of one address are
   * counted together.
   */
  get #payer(): string {
    const { credential, id, address } = this.#options;
    return credential.principal.id || (this.#isKnown ? id : address);
  }
}

function tooMany(waitMs: number): Refused {
  const retryAfterMs = Math.ceil(waitMs);
  const message = 'Too Many Requests: more than limits.requestsPerMinute; try again later';
  return { refused: { code: -32603, message, data: { retryAfterMs } } };
}
