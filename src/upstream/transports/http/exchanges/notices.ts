import type { ClosedBecause } from '../../transport.ts';
import { type Headers, POST_HEADERS } from '../http-message.ts';
import type { HttpPeer } from '../peer.ts';
import { EXPIRED } from './open-exchanges.ts';

export interface NoticesHost {
  /** Called when the server cannot be reached, or its session is gone. */
  onLost(reason: string, why?: ClosedBecause): void;
  isSessionAlive(): Promise<boolean>;
}

/** Returns the headers of a POST in the session. */
export const postHeaders = ({ session }: Pick<HttpPeer, 'session'>): Headers => ({
  ...session.headers,
  ...POST_HEADERS,
});

/** Sends the messages to which no answer comes: notifications, and our answers. */
export class Notices {
  readonly #peer: HttpPeer;
  readonly #host: NoticesHost;

  constructor(peer: HttpPeer, host: NoticesHost) {
    this.#peer = peer;
    this.#host = host;
  }

  /** Sends a message. Resolves once the server has it, or could not be told. */
  async tell(body: Buffer): Promise<void> {
    const { endpoint, log } = this.#peer;
    const message = { method: 'POST', headers: postHeaders(this.#peer), body, isRepeatable: true } as const;
    const outcome = await endpoint.tell(message);
    if ('status' in outcome) {
      if (outcome.status === 404) await this.expireUnlessAlive();
      else if (outcome.status >= 400) log.debug(outcome, 'a notification or an answer was refused');
    } else if (outcome.isUnreachable) this.#host.onLost(outcome.reason);
    else log.debug(outcome, 'a notification or an answer may not have got there');
  }

  /** Reports the session as gone, if the server no longer knows it. */
  async expireUnlessAlive(): Promise<void> {
    const { session } = this.#peer;
    if (session.hasId && !(await this.#host.isSessionAlive())) this.#host.onLost(EXPIRED.reason, 'expired');
  }
}
