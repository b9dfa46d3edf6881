import { GetStream, type GetStreamHandler } from './get-stream.ts';
import type { HttpPeer } from './peer.ts';

/** The stream that a legacy server sends events on outside of responses, if it has one. */
export class OwnStream {
  readonly #peer: HttpPeer;
  readonly #handler: GetStreamHandler;
  #stream: GetStream | undefined;
  #isStopped = false;

  constructor(peer: HttpPeer, handler: GetStreamHandler) {
    this.#peer = peer;
    this.#handler = handler;
  }

  /** Opens the stream, and opens it again whenever it ends. Does nothing after `stop`. */
  open(): void {
    if (this.#isStopped) return;
    const position = { lastEventId: undefined, retryMs: undefined };
    this.#stream = new GetStream(this.#peer, { position, maxFaults: Number.POSITIVE_INFINITY }, this.#handler);
    this.#stream.open();
  }

  /** Tries again now, if it waits: a user has logged in. */
  hurry(): void {
    this.#stream?.hurry();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stream?.stop();
  }
}
