import type { Frame } from '../../../wire/frame.ts';
import type { HttpCall } from './calls/http-call.ts';
import { discard } from './discard.ts';
import type { StreamPosition } from './event-framer.ts';
import { EventReader } from './event-reader.ts';
import type { HttpPeer } from './peer.ts';
import { type HttpResponse, hasType, retryAfter, statusOf } from './response.ts';

/** The delay from the end of a stream to the next try if the server names none; doubled after each try that brings no message. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** The longest pause after a refusal for lack of authorization, unless a login ends it or the server asks for less. */
const MAX_REFUSED_MS = 5 * 60 * 1_000;
/** A server that says "at once" does not mean as fast as the wire allows. */
const MIN_DELAY_MS = 20;
/** The number of streams in a row that may end without a message before the server's own delay counts less than ours. */
const MAX_SILENCES = 10;

/** The reason why the stream could not be opened this time. */
interface Fault {
  readonly reason: string;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The statuses that mean "not now" rather than "never": too many requests, too slow, or not authorized (yet). */
const PASSING: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);
const REFUSES_US: ReadonlySet<number | undefined> = new Set([401, 403]);
const NOT_IMPLEMENTED = 501;

/** The reason why a stream is not opened again. */
export interface Refusal {
  /** Absent if there was no response. */
  readonly status?: number;
  readonly reason: string;
}

export interface GetStreamHandler {
  onFrame(frame: Frame): void;
  /** The stream is there after it could not be opened for a while, and the server did not say what was on it meanwhile. */
  onMissed?(): void;
  onRefused(refusal: Refusal): void;
}

export interface GetStreamOptions {
  readonly position: StreamPosition;
  /** The number of times in a row that the server may be unreachable. */
  readonly maxFaults: number;
}

/**
 * The stream that a legacy server sends events on outside of responses, and the rest of a response that broke off
 * (2025-11-25, "Listening for Messages from the Server", "Resumability and Redelivery"). Opened again whenever it ends.
 */
export class GetStream {
  readonly #peer: HttpPeer;
  readonly #options: GetStreamOptions;
  readonly #handler: GetStreamHandler;
  #call: HttpCall | undefined;
  #reader: EventReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #faults = 0;
  /** Connections in a row on which nothing came. */
  #silences = 0;

  constructor(peer: HttpPeer, options: GetStreamOptions, handler: GetStreamHandler) {
    this.#peer = peer;
    this.#options = options;
    this.#handler = handler;
  }

  open(): void {
    if (this.#isStopped) return;
    this.#timer = undefined;
    const { endpoint, session } = this.#peer;
    const { lastEventId } = this.#options.position;
    const headers = {
      ...session.headers,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    this.#call = endpoint.send(
      { method: 'GET', headers, isRepeatable: true },
      {
        onResponse: (response) => this.#onResponse(response),
        onFault: ({ reason, failure }) => this.#onFault({ reason, status: failure?.status }),
      },
    );
  }

  /** The connection has ended: goes on after the time that the server wants. */
  reopen(): void {
    const { retryMs } = this.#options.position;
    if (retryMs === undefined) this.#openAfter(Math.min(FIRST_DELAY_MS * 2 ** this.#silences, MAX_DELAY_MS));
    else this.#openAfter(Math.max(retryMs, this.#silences > MAX_SILENCES ? FIRST_DELAY_MS : MIN_DELAY_MS));
  }

  /** Opens the stream now, if it waits. */
  hurry(): void {
    if (this.#isStopped || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.open();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#call?.destroy();
    this.#reader?.stop();
  }

  #openAfter(delayMs: number): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => this.open(), delayMs);
  }

  #onResponse(response: HttpResponse): void {
    const status = statusOf(response);
    if (status === 200 && hasType(response, 'text/event-stream')) {
      this.#read(response);
      return;
    }
    discard(response);
    const isPassing = PASSING.has(status) || (status >= 500 && status !== NOT_IMPLEMENTED);
    if (isPassing) this.#onFault({ reason: `HTTP ${status}`, status, ...retryAfter(response) });
    else this.#refuse({ status, reason: `HTTP ${status}` });
  }

  #read(response: HttpResponse): void {
    const wasAway = this.#faults > 0;
    this.#faults = 0;
    this.#silences++;
    if (wasAway && this.#options.position.lastEventId === undefined) this.#handler.onMissed?.();
    this.#reader = new EventReader(response, this.#options.position, this.#peer, {
      onFrame: (frame) => {
        this.#silences = 0;
        this.#handler.onFrame(frame);
      },
      onEnd: () => this.reopen(),
    });
  }

  #onFault({ reason, status, retryAfterMs }: Fault): void {
    if (this.#faults++ >= this.#options.maxFaults) {
      this.#refuse({ reason, ...(status !== undefined && { status }) });
      return;
    }
    const backoffMs = FIRST_DELAY_MS * 2 ** (this.#faults - 1);
    const grownMs = Math.min(backoffMs, REFUSES_US.has(status) ? MAX_REFUSED_MS : MAX_DELAY_MS);
    const namedMs = Math.min(retryAfterMs ?? 0, MAX_REFUSED_MS);
    this.#openAfter(Math.max(grownMs, namedMs, this.#options.position.retryMs ?? 0));
  }

  #refuse(refusal: Refusal): void {
    this.#isStopped = true;
    this.#handler.onRefused(refusal);
  }
}
