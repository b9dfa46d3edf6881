import { type Bytes, toBuffer } from '../../../wire/bytes.ts';
import { Frame } from '../../../wire/frame.ts';
import { ownId } from '../../../wire/ids.ts';
import { readMessage } from '../../../wire/message.ts';
import { SseTransport } from '../sse.ts';
import type { RequestFailure, Transport, TransportContext, TransportEvents } from '../transport.ts';
import type { HttpEndpoint } from './endpoint.ts';

/**
 * The statuses with which a server of the previous transport (HTTP with SSE) answers an `initialize` posted to its
 * event stream.
 */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 404, 405]);
const HINT = 'if it speaks HTTP with SSE (2024-11-05), write "type: sse"';

interface Way {
  /** Streamable HTTP. */
  open(events: TransportEvents): Transport;
  readonly endpoint: HttpEndpoint;
  readonly isTypeGuessed: boolean;
}

type SseContext = Pick<TransportContext, 'log' | 'maxFrameBytes'>;

/**
 * Streamable HTTP, or what was before it where the url turns out to be of that kind and no type is written (2025-03-26,
 * Transports, "Backwards Compatibility").
 */
export class HttpOrSse implements Transport {
  readonly pid = undefined;
  readonly #way: Way;
  readonly #events: TransportEvents;
  readonly #context: SseContext;
  readonly #http: Transport;
  #sse: SseTransport | undefined;
  /** The `initialize` request as it was sent. */
  #initialize: { readonly id: number; readonly frame: Bytes } | undefined;

  constructor(way: Way, events: TransportEvents, context: SseContext) {
    this.#way = way;
    this.#events = events;
    this.#context = context;
    this.#http = way.open({ ...events, onRequestFailed: (id, failure) => this.#onFailed(id, failure) });
  }

  get queuedBytes(): number {
    return this.#present.queuedBytes;
  }

  send(frame: Bytes): void {
    if (this.#initialize === undefined) this.#initialize = initializeIn(frame);
    this.#present.send(frame);
  }

  reward(): void {
    this.#present.reward?.();
  }

  onSettled(id: number): void {
    this.#present.onSettled?.(id);
  }

  finish(): boolean {
    return this.#present.finish?.() ?? false;
  }

  onCredentialsChanged(): void {
    this.#present.onCredentialsChanged?.();
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#sse?.close()]);
  }

  get #present(): Transport {
    return this.#sse ?? this.#http;
  }

  #onFailed(id: number, failure: RequestFailure): void {
    const initialize = this.#initialize;
    if (id !== initialize?.id || !REFUSALS.has(failure.status)) this.#events.onRequestFailed(id, failure);
    else if (this.#way.isTypeGuessed) this.#trySse(initialize, failure);
    else this.#events.onRequestFailed(id, { ...failure, reason: `${failure.reason}; ${HINT}` });
  }

  #trySse({ id, frame }: { readonly id: number; readonly frame: Bytes }, failure: RequestFailure): void {
    const { endpoint } = this.#way;
    const sse = new SseTransport(
      endpoint.at(endpoint.url),
      {
        ...this.#events,
        onClosed: (reason, why) => {
          if (sse.wasReached || why !== undefined) this.#events.onClosed(reason, why);
          else this.#events.onRequestFailed(id, failure);
        },
      },
      this.#context,
    );
    this.#sse = sse;
    sse.send(frame);
  }
}

/** Looked for in what is small only: it has nothing in it but who we are. */
function initializeIn(frame: Bytes): { readonly id: number; readonly frame: Bytes } | undefined {
  if (typeof frame !== 'string' || !frame.includes('"method":"initialize"')) return undefined;
  const message = readMessage(Frame.of(toBuffer(frame)));
  if (message.kind !== 'request' || message.method !== 'initialize') return undefined;
  const id = ownId(message.id);
  return id === undefined ? undefined : { id, frame };
}
