import type { ClientFacts } from '../../core/providers/provider.ts';

/**
 * The time without a call after which a modern client counts as gone, in milliseconds: such clients do not say when
 * they leave.
 */
const FORGOTTEN_MS = 10 * 60 * 1000;

export interface SilentClientsHost {
  /** Returns whether a client still has something there, though it does not call. */
  isBusy(clientId: string): boolean;
  /** A client has not called for ten minutes. */
  onGone(clientId: string): void;
}

/** Finds out which modern clients have gone. */
export class SilentClients {
  readonly #host: SilentClientsHost;
  /** The timers after which clients count as gone, by client. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(host: SilentClientsHost) {
    this.#host = host;
  }

  /** Notes that a client has called. Legacy clients say when they leave. */
  onCall({ clientId, era }: Pick<ClientFacts, 'clientId' | 'era'>): void {
    if (era !== 'modern') return;
    const timer = this.#timers.get(clientId);
    if (timer !== undefined) timer.refresh();
    else this.#timers.set(clientId, setTimeout(() => this.#onSilence(clientId), FORGOTTEN_MS).unref());
  }

  /** Forgets a client: it has gone. */
  remove(clientId: string): void {
    clearTimeout(this.#timers.get(clientId));
    this.#timers.delete(clientId);
  }

  /** Forgets all clients. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #onSilence(clientId: string): void {
    if (this.#host.isBusy(clientId)) this.#timers.get(clientId)?.refresh();
    else this.#host.onGone(clientId);
  }
}
