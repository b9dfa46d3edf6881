import { type ByteString, type Bytes, jsonBytes } from '../../wire/bytes.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Transport } from '../transports/transport.ts';
import type { PeerFaults } from './peer-faults.ts';

/** A peer that leaves more than this unread gets no notifications and no answers to its own requests. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * Sends messages that expect no answer: notifications, and answers to the peer's own requests. To a peer that does not
 * read they are not sent, instead of being piled up.
 */
export class LinkOutbox {
  readonly #transport: Pick<Transport, 'queuedBytes' | 'send'>;
  readonly #faults: Pick<PeerFaults, 'unread'>;
  #isClosed = false;

  /** @param faults counts the messages that are left out */
  constructor(transport: Pick<Transport, 'queuedBytes' | 'send'>, faults: Pick<PeerFaults, 'unread'>) {
    this.#transport = transport;
    this.#faults = faults;
  }

  /** Sends a notification of the gateway's own. */
  notify(method: string, params?: unknown): void {
    const tail = params === undefined ? '' : `,"params":${jsonBytes(params)}`;
    this.relay(`{"jsonrpc":"2.0","method":"${method}"${tail}}`);
  }

  /** Answers a request of the peer; `id` is the raw token. */
  answer(id: ByteString, reply: Reply): void {
    if (!this.#isClosed) this.relay(reply.withId(id));
  }

  /** Passes a message on as it is. */
  relay(frame: Bytes): void {
    if (this.#isClosed) return;
    if (this.#transport.queuedBytes > MAX_UNREAD_BYTES) this.#faults.unread();
    else this.#transport.send(frame);
  }

  /** Sends nothing from now on: the connection is over. */
  close(): void {
    this.#isClosed = true;
  }
}
