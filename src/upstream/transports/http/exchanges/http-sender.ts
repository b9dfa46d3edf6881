import { Frame } from '../../../../wire/frame.ts';
import { ownId } from '../../../../wire/ids.ts';
import { lastMember } from '../../../../wire/lens.ts';
import { type NotificationMessage, paramsOf, readMessage } from '../../../../wire/message.ts';
import { SessionGate } from '../../session-gate.ts';
import type { HttpIncoming } from '../http-incoming.ts';
import type { Notices } from './notices.ts';
import type { OpenExchanges } from './open-exchanges.ts';

export interface HttpSenderParts {
  readonly exchanges: OpenExchanges;
  readonly notices: Notices;
  /** The server has taken `notifications/initialized`; what came after it is sent next. */
  readonly onBegun: () => void;
}

/** Sends each message the way of its kind, until the connection is stopped. */
export class HttpSender {
  readonly #peer: HttpIncoming;
  readonly #parts: HttpSenderParts;
  readonly #gate = new SessionGate((body) => this.#send(body));

  constructor(peer: HttpIncoming, parts: HttpSenderParts) {
    this.#peer = peer;
    this.#parts = parts;
  }

  /** Bytes of messages that wait until the session has begun. */
  get heldBytes(): number {
    return this.#gate.bytes;
  }

  send(body: Buffer): void {
    this.#gate.send(body);
  }

  #send(body: Buffer): void {
    if (this.#peer.isStopped) return;
    const message = readMessage(Frame.of(body));
    switch (message.kind) {
      case 'request':
        this.#parts.exchanges.start(message, body);
        break;
      case 'notification':
        this.#notify(message, body);
        break;
      case 'response':
        // A modern server asks nothing, so it gets no answers.
        if (this.#peer.session.isOpen) void this.#parts.notices.tell(body);
        break;
      case 'invalid':
        this.#peer.log.error({ reason: message.reason }, 'a message of our own is none and was not sent');
    }
  }

  #notify(message: NotificationMessage, body: Buffer): void {
    switch (message.method) {
      case 'notifications/cancelled':
        this.#cancel(message, body);
        break;
      case 'notifications/initialized':
        void this.#begin(body);
        break;
      default:
        // The modern protocol has no notifications to servers (2026-07-28, "Sending Messages").
        if (this.#peer.session.isOpen) void this.#parts.notices.tell(body);
    }
  }

  #cancel(message: NotificationMessage, body: Buffer): void {
    const requestId = lastMember(paramsOf(message), 'requestId');
    const id = requestId === undefined ? undefined : ownId(message.frame.raw(requestId));
    const exchange = id === undefined ? undefined : this.#parts.exchanges.take(id);
    if (exchange === undefined) return;
    if (exchange.request.kind === 'modern') exchange.abort();
    // To a legacy server a connection that ends says nothing; and it may leave a response open that is no longer wanted.
    else void this.#parts.notices.tell(body).then(() => exchange.abort());
  }

  async #begin(body: Buffer): Promise<void> {
    await this.#gate.closeWhile(this.#parts.notices.tell(body));
    this.#parts.onBegun();
    this.#gate.open();
  }
}
