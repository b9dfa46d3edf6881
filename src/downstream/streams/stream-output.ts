import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { Exchange } from '../../session/exchange.ts';
import type { Bytes } from '../../wire/bytes.ts';
import { FrameWriter } from '../../wire/output/frame-writer.ts';
import type { Reader, UnreadBudget } from '../unread/unread-budget.ts';

/**
 * The number of unread bytes above which a client gets no more progress and log messages, and its own messages are not
 * read: a client that does not read its responses cannot request more.
 */
const CROWDED_BYTES = 4 * 1024 * 1024;
/** Fewer unread bytes are not counted: any response leaves that many for a moment. */
const NOTABLE_BYTES = 64 * 1024;

export interface StreamOutputOptions {
  readonly stream: Writable;
  /** Bounds what the client leaves unread. */
  readonly unread: UnreadBudget;
  /** The client is far behind (true), or has caught up and may have been told so before (false). */
  readonly onCrowded: (isCrowded: boolean) => void;
  /** The client has read nothing for too long: it must be disconnected. */
  readonly onStalled: () => void;
}

/** Writes messages to a client over a stream, and has the bytes that it leaves unread counted in the budget of the gateway. */
export class StreamOutput implements Reader {
  readonly owner = `stream ${randomUUID()}`;
  /** The way of answers, and of what belongs to requests. */
  readonly exchange: Exchange;
  readonly #options: StreamOutputOptions;
  readonly #writer: FrameWriter;

  constructor(options: StreamOutputOptions) {
    this.#options = options;
    this.#writer = new FrameWriter(options.stream, () => this.#onTaken());
    this.exchange = {
      reply: (bytes) => this.send(bytes),
      send: (bytes) => this.send(bytes),
      sendIfRoom: (bytes) => this.sendUnlessCrowded(bytes),
      whenRoom: () => options.unread.whenRoom(this.owner),
      abandon: () => undefined,
    };
  }

  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  get takenBytes(): number {
    return this.#writer.takenBytes;
  }

  /** Sends a message, however far the client is behind. */
  send(bytes: Bytes): void {
    const queued = this.#writer.queuedBytes;
    this.#writer.write(bytes);
    if (queued === 0 || this.#writer.queuedBytes <= NOTABLE_BYTES) return;
    const { unread, onCrowded } = this.#options;
    unread.onWritten(this);
    if (this.#writer.queuedBytes > CROWDED_BYTES) onCrowded(true);
  }

  /** Sends a message that the client can do without, unless it is far behind. */
  sendUnlessCrowded(bytes: Bytes): void {
    if (this.#writer.queuedBytes <= CROWDED_BYTES) this.send(bytes);
  }

  /** Ends the stream after what was written. */
  end(): void {
    this.#writer.end();
  }

  cut(): void {
    this.#options.onStalled();
    this.#options.stream.destroy();
  }

  #onTaken(): void {
    const { unread, onCrowded } = this.#options;
    unread.onTaken(this);
    if (this.#writer.queuedBytes <= CROWDED_BYTES) onCrowded(false);
  }
}
