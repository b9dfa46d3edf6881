import { TransientMap } from '../core/collections/transient-map.ts';
import type { ByteString } from '../wire/bytes.ts';
import { idKey } from '../wire/ids.ts';
import { lastMember, rawText } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage } from '../wire/message.ts';
import type { Exchange } from './exchange.ts';

/** A request that its client can still cancel. */
export interface OpenRequest {
  cancel(reason?: ByteString): void;
  /** The request is answered with a question, and what it has begun waits for the client to come back. */
  readonly isParked?: boolean;
}

/**
 * The requests of a modern client on one pipe that can be cancelled, by id. A client that cancels does not wait for what is
 * on its way to it (2026-07-28, "Cancellation"), so it may name a request that is answered with a question by then. It will
 * not answer that question: what waits for it is cancelled.
 */
export class OpenRequests {
  readonly #byId = new TransientMap<string, OpenRequest>();
  /** The parked requests, by the id of the request that was answered with a question. */
  readonly #parkedById = new Map<string, OpenRequest>();

  has(message: RequestMessage): boolean {
    return this.#byId.has(idKey(message.id));
  }

  /** Keeps what can be cancelled; the exchange forgets it with the answer. */
  track(message: RequestMessage, exchange: Exchange, begin: (exchange: Exchange) => OpenRequest | undefined): void {
    const key = idKey(message.id);
    this.#parkedById.delete(key);
    let isOver = false;
    let open: OpenRequest | undefined;
    const over = () => {
      isOver = true;
      this.#byId.take(key);
      if (open !== undefined) this.#keepParked(key, open);
    };
    open = begin({
      reply: (bytes, status) => {
        over();
        exchange.reply(bytes, status);
      },
      send: (bytes) => exchange.send(bytes),
      sendIfRoom: (bytes) => exchange.sendIfRoom(bytes),
      whenRoom: () => exchange.whenRoom?.(),
      abandon: () => {
        over();
        exchange.abandon();
      },
    });
    if (open === undefined) return;
    if (isOver) this.#keepParked(key, open);
    else this.#byId.set(key, open);
  }

  /** A call is parked under the id of its last request. The number of those that are parked is bounded. */
  #keepParked(key: string, open: OpenRequest): void {
    for (const [known, other] of this.#parkedById)
      if (other === open || other.isParked !== true) this.#parkedById.delete(known);
    if (open.isParked === true) this.#parkedById.set(key, open);
  }

  /** Returns whether the notification was about a request that can be cancelled here. */
  onCancelled(message: NotificationMessage): boolean {
    const { text } = message.frame;
    const params = paramsOf(message);
    const id = lastMember(params, 'requestId');
    const open = id === undefined ? undefined : this.#find(idKey(rawText(text, id)));
    if (open === undefined) return false;
    const reason = lastMember(params, 'reason');
    open.cancel(reason === undefined ? undefined : rawText(text, reason));
    return true;
  }

  #find(key: string): OpenRequest | undefined {
    const parked = this.#parkedById.get(key);
    return this.#byId.get(key) ?? (parked?.isParked === true ? parked : undefined);
  }
}
