import { acknowledgedUris } from '../../../era/modern/subscription.ts';
import type { NotificationMessage, ResponseMessage } from '../../../wire/message.ts';
import { type Link, requestText } from '../../connection/link.ts';
import type { Acknowledged } from './confirmations.ts';

/** The time to wait for an acknowledgement of a stream, in milliseconds. After that, the stream counts as open all the same. */
const ACKNOWLEDGE_MS = 2_000;

/** The filter of one stream. */
export interface StreamFilter {
  /** The JSON that is sent. */
  readonly json: string;
  readonly uris: ReadonlySet<string>;
}

export interface OpenStreamEvents {
  /** The server has not acknowledged it for a while. */
  onOverdue(): void;
  onAnswer(message: ResponseMessage): void;
  /** The connection is gone, or its request has failed. */
  onEnded(): void;
}

/** One `subscriptions/listen` request to a server: a stream until it is answered. */
export class OpenStream implements Acknowledged {
  readonly filter: StreamFilter;
  readonly openedAt = performance.now();
  readonly #events: OpenStreamEvents;
  #link: Link | undefined;
  #timer: NodeJS.Timeout | undefined;
  #id = -1;
  #told: ReadonlySet<string> | undefined;

  constructor(filter: StreamFilter, events: OpenStreamEvents) {
    this.filter = filter;
    this.#events = events;
  }

  /** The id of the request, which is the stamp of what the stream tells. */
  get id(): number {
    return this.#id;
  }

  get uris(): ReadonlySet<string> {
    return this.filter.uris;
  }

  /** The resources of which the server says that it tells; `undefined` until it says so. */
  get told(): ReadonlySet<string> | undefined {
    return this.#told;
  }

  /** Takes the server's acknowledgement. It names what the server reports; one that names nothing at all agrees to everything. */
  onAcknowledgement(message: NotificationMessage): void {
    this.#told = acknowledgedUris(message) ?? this.uris;
  }

  /** Sends the request. It may fail at once. */
  open(link: Link): void {
    this.#link = link;
    this.#timer = setTimeout(() => this.#events.onOverdue(), ACKNOWLEDGE_MS).unref();
    const waiter = {
      onResponse: (message: ResponseMessage) => this.#events.onAnswer(message),
      onFailure: () => this.#events.onEnded(),
    };
    const params = link.ownParams(`{"notifications":${this.filter.json}}`);
    this.#id = link.send(waiter, (id) => requestText(id, 'subscriptions/listen', params));
  }

  /** Stops the timer: the stream is acknowledged, or has ended. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the stream; the server is told. */
  close(): void {
    this.stopTimer();
    this.#link?.cancel(this.#id);
  }
}
