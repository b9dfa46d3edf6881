import type { Frame } from '../../../../wire/frame.ts';
import type { RequestMessage } from '../../../../wire/message.ts';
import type { NetworkFault } from '../../network/network-fault.ts';
import type { RequestFailure } from '../../transport.ts';
import { type Body, readBody } from '../body.ts';
import type { HttpCall } from '../calls/http-call.ts';
import { errorFor } from '../error-frame.ts';
import type { Headers } from '../http-message.ts';
import type { HttpPeer } from '../peer.ts';
import { failureOf, type HttpResponse, hasType, statusOf } from '../response.ts';
import { AnswerEvents } from './answer-events.ts';
import { answerIn, failureOfBody, mayBeExpired } from './answer-in-body.ts';

/** A server should end the stream behind its answer; one that does not is helped. */
export const LINGER_MS = 5_000;
/** The method that may not be repeated: a broken connection does not mean that nothing was done. */
const NOT_REPEATABLE = 'tools/call';

export interface ExchangeOwner {
  /** The answer has come; it is delivered next. */
  onAnswered(exchange: HttpExchange): void;
  onFailed(exchange: HttpExchange, failure: RequestFailure): void;
  /** Called when the server cannot be reached. */
  onUnreachable(exchange: HttpExchange, reason: string): void;
  /** The server no longer knows the session. */
  onExpired(exchange: HttpExchange): void;
  /** Asks whether the server still knows the session, after an answer that may mean that it does not. */
  isSessionAlive(): Promise<boolean>;
}

export interface ExchangeRequest {
  readonly id: number;
  readonly message: RequestMessage;
  readonly body: Buffer;
  /** `opening` is `initialize`, with which the session of a legacy server begins. */
  readonly kind: 'opening' | 'legacy' | 'modern';
  readonly headers: Headers;
}

const BROKEN_OFF: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'the stream ended before the answer came',
  effect: 'unknown',
};

/** One request from its POST to its answer, or to the failure that stands for it (Streamable HTTP, both eras). */
export class HttpExchange {
  readonly request: ExchangeRequest;
  readonly #peer: HttpPeer;
  readonly #owner: ExchangeOwner;
  readonly #events: AnswerEvents;
  #call: HttpCall | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #state: 'open' | 'answered' | 'over' = 'open';

  constructor(request: ExchangeRequest, peer: HttpPeer, owner: ExchangeOwner) {
    this.request = request;
    this.#peer = peer;
    this.#owner = owner;
    this.#events = new AnswerEvents(peer, {
      onFrame: (frame) => this.#deliver(frame),
      onEnd: (response) => this.#onEventsEnd(response),
      onBrokenOff: () => this.#fail(BROKEN_OFF),
    });
  }

  start(): void {
    const { message, headers, body } = this.request;
    this.#call = this.#peer.endpoint.send(
      { method: 'POST', headers, body, isRepeatable: message.method !== NOT_REPEATABLE },
      { onResponse: (response) => this.#onResponse(response), onFault: (fault) => this.#onFault(fault) },
    );
  }

  /** Ends the exchange, because the response is no longer wanted. This is how a modern server is told. */
  abort(): void {
    this.#state = 'over';
    clearTimeout(this.#lingering);
    this.#call?.destroy();
    this.#events.stop();
  }

  /** Stops waiting for a response; the HTTP response may still end by itself. */
  linger(): void {
    this.#state = 'answered';
    this.#events.stopResuming();
    this.#lingering = setTimeout(() => this.abort(), LINGER_MS).unref();
  }

  #onResponse(response: HttpResponse): void {
    const { id, kind } = this.request;
    if (kind === 'opening' && statusOf(response) < 300) this.#peer.session.onHead(response);
    if (hasType(response, 'text/event-stream')) this.#events.read(response);
    else {
      readBody(response, { maxBytes: this.#peer.maxFrameBytes, peer: this.#peer }, (body) => {
        if (this.#state !== 'open') return;
        const isInSession = kind === 'legacy' && this.#peer.session.hasId;
        if (isInSession && mayBeExpired(response, body, id)) void this.#takeUnlessExpired(response, body);
        else this.#take(response, body);
      });
    }
  }

  #take(response: HttpResponse, body: Body): void {
    if (body.kind === 'frame') this.#onBody(response, body.frame);
    else {
      if (body.kind === 'lost' && statusOf(response) < 400) this.#peer.onLostLine(body.line);
      this.#fail(failureOfBody(response, body));
    }
  }

  #onFault({ reason, isUnreachable, failure }: NetworkFault): void {
    if (this.#state !== 'open') return;
    if (failure !== undefined) this.#fail(failure);
    else if (isUnreachable) {
      this.#state = 'over';
      this.#owner.onUnreachable(this, reason);
    } else this.#fail({ code: 'UPSTREAM_EXITED', reason, effect: 'unknown' });
  }

  /** A JSON body: the answer itself; an error without an id, which is one too; or something else. */
  #onBody(response: HttpResponse, frame: Frame): void {
    this.#peer.onSpeaking(undefined);
    this.#deliver(frame);
    if (this.#state !== 'open') return;
    const error = errorFor(this.request.id, frame);
    if (error === undefined) this.#fail(failureOf(response));
    else this.#deliver(error);
  }

  async #takeUnlessExpired(response: HttpResponse, body: Body): Promise<void> {
    const isAlive = await this.#owner.isSessionAlive();
    if (this.#state !== 'open') return;
    if (isAlive) {
      this.#take(response, body);
      return;
    }
    this.#state = 'over';
    this.#owner.onExpired(this);
  }

  #onEventsEnd(response: HttpResponse): void {
    clearTimeout(this.#lingering);
    if (this.#state !== 'open') return;
    if (statusOf(response) >= 300) this.#fail(failureOf(response));
    else if (this.request.kind === 'modern' || !this.#events.isResumable) this.#fail(BROKEN_OFF);
    else this.#events.resume();
  }

  #deliver(frame: Frame): void {
    if (this.#state === 'over') return;
    const answer = this.#state === 'open' ? answerIn(frame, this.request.id) : undefined;
    if (answer !== undefined) {
      // A body was read to its end: nothing is left to wait for.
      if (this.#events.isReading) this.linger();
      else this.#state = 'answered';
      if (this.request.kind === 'opening') this.#peer.session.onAnswer(answer);
      this.#owner.onAnswered(this);
    }
    this.#peer.onFrame(frame, this.request.id);
  }

  #fail(failure: RequestFailure): void {
    this.#state = 'over';
    this.#owner.onFailed(this, failure);
  }
}
