import type { ByteString } from '../wire/bytes.ts';
import { idKey } from '../wire/ids.ts';
import { lastMember, rawText } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage } from '../wire/message.ts';
import type { Exchange } from './exchange.ts';

/** What a client may still do about a request that is not answered. */
export interface OpenRequest {
  cancel(reason?: ByteString): void;
}

/** The requests of a modern client on one pipe that are not answered: by id, so that they can be cancelled. */
export class OpenRequests {
  readonly #byId = new Map<string, OpenRequest>();

  has(message: RequestMessage): boolean {
    return this.#byId.has(idKey(message.id));
  }

  /** Keeps what can be cancelled; the exchange forgets it with the answer. */
  track(message: RequestMessage, exchange: Exchange, begin: (exchange: Exchange) => OpenRequest | undefined): void {
    const key = idKey(message.id);
    let isOver = false;
    const over = () => {
      isOver = true;
      this.#byId.delete(key);
    };
    const open = begin({
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
    if (open !== undefined && !isOver) this.#byId.set(key, open);
  }

  /** Returns whether the notification was about a request that is open here. */
  onCancelled(message: NotificationMessage): boolean {
    const { text } = message.frame;
    const params = paramsOf(message);
    const id = lastMember(params, 'requestId');
    const open = id === undefined ? undefined : this.#byId.get(idKey(rawText(text, id)));
    if (open === undefined) return false;
    const reason = lastMember(params, 'reason');
    open.cancel(reason === undefined ? undefined : rawText(text, reason));
    return true;
  }
}
