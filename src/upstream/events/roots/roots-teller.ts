import type { ClientDirectory, Provider } from '../../../core/providers/provider.ts';
import type { Connection } from '../../connection/connection.ts';
import type { Asks } from '../asks/asks.ts';

export interface RootsTellerHost {
  readonly provider: Provider;
  readonly directory: Pick<ClientDirectory, 'sole'>;
  readonly connection: Pick<Connection, 'link'>;
  readonly asks: Pick<Asks, 'rootsMissed'>;
}

/** Tells a legacy upstream that the roots of its client have changed, where that client is the only one. */
export class RootsTeller {
  readonly #host: RootsTellerHost;

  constructor(host: RootsTellerHost) {
    this.#host = host;
  }

  /** A client has finished its handshake: an upstream that asked for roots before that can ask again. */
  onSessionReady(sessionId: string): void {
    if (this.#host.asks.rootsMissed) this.onRootsChanged(sessionId);
  }

  /** The roots of a client have changed. */
  onRootsChanged(sessionId: string): void {
    const { directory, provider, connection } = this.#host;
    if (directory.sole(provider)?.sessionId !== sessionId) return;
    const { link } = connection;
    if (link?.era === 'legacy') link.outbox.notify('notifications/roots/list_changed');
  }
}
