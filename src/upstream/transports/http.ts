import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { type Bytes, toBuffer } from '../../wire/bytes.ts';
import { type HttpEndpoint, openEndpoint } from './http/endpoint.ts';
import { HttpSender } from './http/exchanges/http-sender.ts';
import { Notices, postHeaders } from './http/exchanges/notices.ts';
import { OpenExchanges } from './http/exchanges/open-exchanges.ts';
import { HttpIncoming } from './http/http-incoming.ts';
import { HttpOrSse } from './http/http-or-sse.ts';
import { OwnStream } from './http/own-stream.ts';
import { SessionCheck } from './http/session-check.ts';
import {
  type ClosedBecause,
  defineTransport,
  type Transport,
  type TransportContext,
  type TransportEvents,
} from './transport.ts';

/** The time to wait for the server to end a session. */
const GOODBYE_MS = 500;

/** A session that is gone is answered with 404 (2025-11-25, "Session Management"); some servers say 400. */
const GONE: ReadonlySet<number> = new Set([400, 404]);

/** A server that is reached by Streamable HTTP, of either era: each message that goes out says by itself of which it is. */
export const http = defineTransport({
  async open(entry: RemoteEntry, events, context) {
    const endpoint = await openEndpoint(entry, context);
    const open = (own: TransportEvents) => new HttpTransport(endpoint, own, context);
    return new HttpOrSse({ open, endpoint, isTypeGuessed: entry.isTypeGuessed === true }, events, context);
  },
});

/** One connection by Streamable HTTP. Each request has an exchange of its own; a legacy server has a session and a stream. */
class HttpTransport implements Transport {
  readonly pid = undefined;
  readonly #peer: HttpIncoming;
  readonly #events: TransportEvents;
  readonly #exchanges: OpenExchanges;
  readonly #ownStream: OwnStream;
  readonly #sender: HttpSender;
  /** The connection is over, as far as new requests are concerned: those that are open may be answered all the same. */
  #isEnded = false;
  #closing: Promise<void> | undefined;

  constructor(endpoint: HttpEndpoint, events: TransportEvents, context: TransportContext) {
    const peer = new HttpIncoming(endpoint, events, context);
    const check = new SessionCheck({ endpoint: () => endpoint, headers: () => postHeaders(peer), gone: GONE });
    const host = {
      onLost: (reason: string, why?: ClosedBecause) => this.#end(reason, why),
      isSessionAlive: () => check.isAlive(),
    };
    const notices = new Notices(peer, host);
    this.#peer = peer;
    this.#events = events;
    this.#exchanges = new OpenExchanges(peer, {
      ...host,
      toolText: (ownName) => events.toolText(ownName),
      onRequestFailed: (id, failure) => {
        if (!peer.isStopped) events.onRequestFailed(id, failure);
      },
    });
    this.#ownStream = ownStreamOf(peer, events, notices);
    const onBegun = () => this.#ownStream.open();
    this.#sender = new HttpSender(peer, { exchanges: this.#exchanges, notices, onBegun });
  }

  get queuedBytes(): number {
    return this.#peer.endpoint.queuedBytes + this.#sender.heldBytes;
  }

  send(frame: Bytes): void {
    this.#sender.send(toBuffer(frame));
  }

  reward(): void {
    this.#peer.reward();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Takes nothing new. Returns true if open requests may still be answered: each response comes on a connection of its
   * own, independent of the session.
   */
  finish(): boolean {
    this.#isEnded = true;
    this.#ownStream.stop();
    return !this.#peer.isStopped && this.#exchanges.size > 0;
  }

  onSettled(id: number): void {
    this.#exchanges.take(id)?.linger();
  }

  /** Called when a user has logged in. */
  onCredentialsChanged(): void {
    this.#ownStream.hurry();
  }

  /** The connection is over, without having been asked to close. What the server works on may still be answered: see `finish`. */
  #end(reason: string, why?: ClosedBecause): void {
    if (this.#peer.isStopped || this.#isEnded) return;
    this.#isEnded = true;
    this.#ownStream.stop();
    this.#events.onClosed(reason, why);
  }

  async #close(): Promise<void> {
    const { endpoint, session } = this.#peer;
    this.#peer.stop();
    this.#exchanges.abortAll();
    this.#ownStream.stop();
    // A session that is over needs no farewell.
    if (session.hasId && !this.#isEnded) {
      await endpoint.tell({ method: 'DELETE', headers: session.headers, isRepeatable: true }, GOODBYE_MS);
    }
    endpoint.destroy();
  }
}

function ownStreamOf(peer: HttpIncoming, events: TransportEvents, notices: Notices): OwnStream {
  return new OwnStream(peer, {
    onFrame: (frame) => peer.onFrame(frame),
    onMissed: () => events.onMissed?.(),
    onRefused: ({ status, reason }) => {
      peer.log.debug({ reason }, 'it has no stream of its own, or no longer');
      // Some servers refuse a stream that they do not have in this way.
      if (status === 404 || status === 400) void notices.expireUnlessAlive();
    },
  });
}
