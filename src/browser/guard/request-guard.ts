import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { AddressRules, Verdict } from './address-rules.ts';

/** A request that was refused. */
export interface Denial {
  readonly frameId: string;
  readonly url: string;
  readonly why: string;
  /** True for a page or a frame, false for something that a document needs. */
  readonly isDocument: boolean;
}

type Paused = Protocol.Fetch.RequestPausedEvent;

/** Lets requests leave a browser only for addresses that the rules allow. Redirects are requests of their own. */
export class RequestGuard {
  readonly #rules: AddressRules;
  readonly #onDenied: (denial: Denial) => void;

  constructor(rules: AddressRules, onDenied: (denial: Denial) => void) {
    this.#rules = rules;
    this.#onDenied = onDenied;
  }

  /**
   * Judges every request of a target from now on; those of the whole browser if the session is the browser's own.
   * @throws CdpError if the target has gone, or is of a kind that makes no requests
   */
  async guard(session: CdpSession): Promise<void> {
    session.on('Fetch.requestPaused', (paused) => this.#onPaused(session, paused));
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
  }

  async #onPaused(session: CdpSession, paused: Paused): Promise<void> {
    const verdict = await this.#judge(paused);
    if (!verdict.allowed) this.#onDenied(denialOf(paused, verdict.why));
    const { requestId } = paused;
    const answering = verdict.allowed
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The page has given up the request, or has gone.
    await answering.catch(() => undefined);
  }

  async #judge({ request, resourceType }: Paused): Promise<Verdict> {
    try {
      return await (resourceType === 'Document'
        ? this.#rules.check(request.url)
        : this.#rules.checkRequest(request.url));
    } catch (error) {
      return { allowed: false, why: (error as Error).message };
    }
  }
}

function denialOf({ frameId, request, resourceType }: Paused, why: string): Denial {
  return { frameId, url: request.url, why, isDocument: resourceType === 'Document' };
}
