import { TransientMap } from '../../../../core/collections/transient-map.ts';
import { ownId } from '../../../../wire/ids.ts';
import type { RequestMessage } from '../../../../wire/message.ts';
import type { ClosedBecause, RequestFailure } from '../../transport.ts';
import { POST_HEADERS } from '../http-message.ts';
import { ModernHeaders, type ToolText } from '../outgoing.ts';
import type { HttpPeer } from '../peer.ts';
import { type ExchangeOwner, HttpExchange } from './exchange.ts';

/** A request was not heard, because the server no longer knows the session. */
export const EXPIRED: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'its session has expired',
  effect: 'none',
  isUnheard: true,
};

export interface ExchangesHost {
  readonly toolText: ToolText;
  onRequestFailed(id: number, failure: RequestFailure): void;
  /** Called when the server cannot be reached, or its session is gone. */
  onLost(reason: string, why?: ClosedBecause): void;
  isSessionAlive(): Promise<boolean>;
}

/** The requests of a connection that are not answered yet, by their ids. */
export class OpenExchanges implements ExchangeOwner {
  readonly #peer: HttpPeer;
  readonly #host: ExchangesHost;
  readonly #modern: ModernHeaders;
  readonly #open = new TransientMap<number, HttpExchange>();

  constructor(peer: HttpPeer, host: ExchangesHost) {
    this.#peer = peer;
    this.#host = host;
    this.#modern = new ModernHeaders((ownName) => host.toolText(ownName));
  }

  /** The number of requests that are not answered. */
  get size(): number {
    return this.#open.size;
  }

  /** Sends a request; `body` is its text. */
  start(message: RequestMessage, body: Buffer): void {
    const id = ownId(message.id);
    if (id === undefined) return;
    const { session } = this.#peer;
    const modernHeaders = session.isOpen ? undefined : this.#modern.of(message);
    const kind = modernHeaders === undefined ? legacyKindOf(message) : 'modern';
    const headers = { ...(kind === 'legacy' ? session.headers : modernHeaders), ...POST_HEADERS };
    const exchange = new HttpExchange({ id, message, body, kind, headers }, this.#peer, this);
    this.#open.set(id, exchange);
    exchange.start();
  }

  /** Returns the exchange of a request, and forgets it: its answer is of no use any more. */
  take(id: number): HttpExchange | undefined {
    return this.#open.take(id);
  }

  /** Cuts off all requests. */
  abortAll(): void {
    for (const exchange of this.#open.values()) exchange.abort();
    this.#open.clear();
  }

  onAnswered(exchange: HttpExchange): void {
    this.#open.take(exchange.request.id);
  }

  onFailed(exchange: HttpExchange, failure: RequestFailure): void {
    this.#open.take(exchange.request.id);
    this.#host.onRequestFailed(exchange.request.id, failure);
  }

  onUnreachable(exchange: HttpExchange, reason: string): void {
    this.onFailed(exchange, { code: 'UPSTREAM_NOT_CONNECTED', reason, effect: 'none' });
    this.#host.onLost(reason);
  }

  onExpired(exchange: HttpExchange): void {
    this.onFailed(exchange, EXPIRED);
    this.#host.onLost(EXPIRED.reason, 'expired');
  }

  isSessionAlive(): Promise<boolean> {
    return this.#host.isSessionAlive();
  }
}

const legacyKindOf = ({ method }: RequestMessage) => (method === 'initialize' ? 'opening' : 'legacy');
