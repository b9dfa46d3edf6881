import type { WebSocket } from 'ws';
import type { LiveFeed, LiveMessage } from '../../core/providers/live-feed.ts';
import type { Log } from '../../telemetry/log.ts';
import { encodeMessage } from './messages.ts';
import { Subscriber } from './subscriber.ts';

const MAX_CLIENTS = 64;
/** Limits on waiting messages for one subscriber, and for all of them together, in bytes. */
const ROOM = 8 * 1024 * 1024;
const ROOM_OF_ALL = 64 * 1024 * 1024;
const GOING_AWAY = 1001;

export interface HubOptions {
  readonly feed: LiveFeed;
  readonly log: Log;
  readonly slowMs: number;
  /** Time between two signs of life that are asked for. */
  readonly checkMs: number;
}

/** The clients that watch the feed over WebSocket. */
export class Hub {
  readonly #options: HubOptions;
  readonly #subscribers = new Set<Subscriber>();
  /** Writes once what several subscribers get. */
  readonly #encoded = new WeakMap<LiveMessage, Buffer>();
  readonly #checks: NodeJS.Timeout;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#checks = setInterval(() => this.check(), options.checkMs).unref();
  }

  get isFull(): boolean {
    return this.#subscribers.size >= MAX_CLIENTS;
  }

  get clients(): number {
    return this.#subscribers.size;
  }

  /** Channels that clients of this hub have subscribed to. */
  get channels(): number {
    return new Set([...this.#subscribers].flatMap(({ channels }) => [...channels])).size;
  }

  admit(socket: WebSocket): void {
    const { feed, log, slowMs } = this.#options;
    const subscriber = new Subscriber({
      socket,
      feed,
      slowMs,
      room: () => Math.min(ROOM, ROOM_OF_ALL / this.#subscribers.size),
      encode: (message) => this.#encode(message),
      onSlow: (waiting) =>
        log.warn({ event: 'live-dropped', waiting }, 'a subscriber of live output was too slow, and was dropped'),
      onGone: () => {
        this.#subscribers.delete(subscriber);
        log.debug({ event: 'live-clients', clients: this.clients }, 'a client of live output has gone');
      },
    });
    this.#subscribers.add(subscriber);
    log.debug({ event: 'live-clients', clients: this.clients }, 'a client of live output has come');
  }

  /** Asks all for a sign of life, and gives up those that gave none since the last time but one. */
  check(): void {
    for (const subscriber of this.#subscribers) subscriber.check();
  }

  /** Says goodbye to all. */
  close(): void {
    clearInterval(this.#checks);
    for (const subscriber of this.#subscribers) subscriber.close(GOING_AWAY, 'the hub ends');
  }

  #encode(message: LiveMessage): Buffer {
    let bytes = this.#encoded.get(message);
    if (bytes === undefined) {
      bytes = encodeMessage(message);
      this.#encoded.set(message, bytes);
    }
    return bytes;
  }
}
