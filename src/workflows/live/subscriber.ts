import type { WebSocket } from 'ws';
import type { LiveFeed, LiveMessage, LiveWatcher } from '../../core/providers/live-feed.ts';
import { encodeMessage, readClientMessage } from './messages.ts';
import { Outbox, type OutboxOptions } from './outbox.ts';

const MAX_SUBSCRIPTIONS = 256;
/** Codes with which a WebSocket is closed. */
const TRY_AGAIN_LATER = 1013;
const GOODBYE_MS = 5_000;

export interface SubscriberOptions extends Pick<OutboxOptions, 'room' | 'slowMs'> {
  readonly socket: WebSocket;
  readonly feed: LiveFeed;
  /** A message of the feed as clients get it: the same bytes for all of them. */
  readonly encode: (message: LiveMessage) => Buffer;
  /** Called when it is dropped, with the number of bytes that wait for it. */
  readonly onSlow: (waiting: number) => void;
  readonly onGone: () => void;
}

/** One client of the hub, from the handshake to the end of its connection. */
export class Subscriber implements LiveWatcher {
  readonly #options: SubscriberOptions;
  readonly #outbox: Outbox;
  /** Functions that stop watching a channel. */
  readonly #watched = new Map<string, () => void>();
  #silentFor = 0;
  #isGone = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { socket, room, slowMs } = options;
    this.#outbox = new Outbox({ socket, room, slowMs, onSlow: (waiting) => this.#onSlow(waiting) });
    socket.on('message', (data: Buffer, isBinary) => this.#onMessage(data, isBinary));
    socket.on('pong', () => this.#onHeard());
    socket.on('ping', () => this.#onHeard());
    // The package closes the connection with the fitting code.
    socket.on('error', () => this.#leave());
    socket.on('close', () => this.#leave());
  }

  get channels(): Iterable<string> {
    return this.#watched.keys();
  }

  onMessage(message: LiveMessage): void {
    this.#outbox.push(this.#options.encode(message));
  }

  whenRoom(): Promise<void> | undefined {
    return this.#outbox.whenRoom();
  }

  /** Asks for a sign of life. One that gave none since the last time but one has gone unseen. */
  check(): void {
    const { socket } = this.#options;
    // A client that does not read cannot be heard.
    if (socket.isPaused) return;
    if (++this.#silentFor < 2) socket.ping();
    else socket.terminate();
  }

  /** Throws away the messages that wait for it. */
  close(code: number, reason: string): void {
    this.#leave();
    this.#options.socket.close(code, reason);
  }

  #onHeard(): void {
    this.#silentFor = 0;
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    this.#onHeard();
    if (this.#isGone) return;
    const message = isBinary ? 'binary frames are not read: send JSON as text' : readClientMessage(data.toString());
    if (typeof message === 'string') this.#answer(encodeMessage({ type: 'error', data: message }));
    else if (message.type === 'ping') this.#answer(encodeMessage({ type: 'pong' }));
    else if (message.type === 'subscribe') this.#subscribe(message.channel);
    else if (message.type === 'unsubscribe') this.#unsubscribe(message.channel);
  }

  #subscribe(channel: string): void {
    if (this.#watched.has(channel)) return;
    if (this.#watched.size < MAX_SUBSCRIPTIONS) {
      this.#watched.set(channel, this.#options.feed.watch(channel, this));
      return;
    }
    const data = `not subscribed: this connection has ${MAX_SUBSCRIPTIONS} channels, which is the most`;
    this.#answer(encodeMessage({ type: 'error', channel, data }));
  }

  #unsubscribe(channel: string): void {
    this.#watched.get(channel)?.();
    this.#watched.delete(channel);
  }

  /** A client that does not read its answers is not read either. */
  #answer(bytes: Buffer): void {
    const { socket } = this.#options;
    this.#outbox.push(bytes);
    const room = this.#outbox.whenRoom();
    if (room === undefined || socket.isPaused) return;
    socket.pause();
    void room.then(() => socket.resume());
  }

  #onSlow(waiting: number): void {
    this.#options.onSlow(waiting);
    this.close(TRY_AGAIN_LATER, 'too slow: output was produced faster than it was read');
    // It may read on and find out why; or it never will.
    setTimeout(() => this.#options.socket.terminate(), GOODBYE_MS).unref();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const stop of this.#watched.values()) stop();
    this.#watched.clear();
    this.#outbox.close();
    this.#options.onGone();
  }
}
