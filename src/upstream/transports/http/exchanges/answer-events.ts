import type { Frame } from '../../../../wire/frame.ts';
import type { StreamPosition } from '../event-framer.ts';
import { EventReader } from '../event-reader.ts';
import { GetStream } from '../get-stream.ts';
import type { HttpPeer } from '../peer.ts';
import type { HttpResponse } from '../response.ts';

/** The number of times that a broken response is requested again while the server is unreachable. */
const MAX_FAULTS = 5;

export interface AnswerEventsHandler {
  onFrame(frame: Frame): void;
  /** The response has ended, with or without the answer. */
  onEnd(response: HttpResponse): void;
  /** The rest of the response cannot be had. */
  onBrokenOff(): void;
}

/** The events of a response, and the rest of them on another connection after the first one broke off. */
export class AnswerEvents {
  readonly #peer: HttpPeer;
  readonly #handler: AnswerEventsHandler;
  readonly #position: StreamPosition = { lastEventId: undefined, retryMs: undefined };
  #reader: EventReader | undefined;
  #rest: GetStream | undefined;

  constructor(peer: HttpPeer, handler: AnswerEventsHandler) {
    this.#peer = peer;
    this.#handler = handler;
  }

  /** True from the response on, if it is an event stream. */
  get isReading(): boolean {
    return this.#reader !== undefined;
  }

  /** True when the server has given an event an id, by which the rest can be asked for. */
  get isResumable(): boolean {
    return this.#position.lastEventId !== undefined;
  }

  /** Reads the events of the response. */
  read(response: HttpResponse): void {
    this.#reader = new EventReader(response, this.#position, this.#peer, {
      onFrame: (frame) => this.#handler.onFrame(frame),
      onEnd: () => this.#handler.onEnd(response),
    });
  }

  /** Asks for the rest of the events, after the time that the server wants. */
  resume(): void {
    const options = { position: this.#position, maxFaults: MAX_FAULTS };
    this.#rest = new GetStream(this.#peer, options, {
      onFrame: (frame) => this.#handler.onFrame(frame),
      // Even where the session is gone: the request had begun to run, and must not be taken for one that never did.
      onRefused: () => this.#handler.onBrokenOff(),
    });
    this.#rest.reopen();
  }

  /** Asks for no more events; the present response may still end by itself. */
  stopResuming(): void {
    this.#rest?.stop();
  }

  /** Reads no more events. */
  stop(): void {
    this.#reader?.stop();
    this.#rest?.stop();
  }
}
