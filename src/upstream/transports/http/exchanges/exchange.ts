import type { Frame } from '../../../../wire/frame.ts';
import { echoedId } from '../../../../wire/ids.ts';
import { type RequestMessage, type ResponseMessage, readBatch, readMessage } from '../../../../wire/message.ts';
import type { NetworkFault } from '../../network/network-fault.ts';
import type { RequestFailure } from '../../transport.ts';
import { type Body, readBody } from '../body.ts';
import type { HttpCall } from '../calls/http-call.ts';
import { errorFor } from '../error-frame.ts';
import { type Headers, POST_HEADERS } from '../http-message.ts';
import type { HttpPeer } from '../peer.ts';
import { failureOf, type HttpResponse, hasType, statusOf } from '../response.ts';
import { AnswerEvents } from './answer-events.ts';

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
  /** The headers of a modern request; `undefined` for a legacy one. */
  readonly modernHeaders: Headers | undefined;
}

/** One request from its POST to its answer, or to the failure that stands for it (Streamable HTTP, both eras). */
export class HttpExchange {
  readonly id: number;
  readonly isModern: boolean;
  readonly #request: ExchangeRequest;
  readonly #peer: HttpPeer;
  readonly #owner: ExchangeOwner;
  readonly #events: AnswerEvents;
  #call: HttpCall | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #state: 'open' | 'answered' | 'over' = 'open';

  constructor(request: ExchangeRequest, peer: HttpPeer, owner: ExchangeOwner) {
    this.id = request.id;
    this.isModern = request.modernHeaders !== undefined;
    this.#request = request;
    this.#peer = peer;
    this.#owner = owner;
    this.#events = new AnswerEvents(peer, {
      onFrame: (frame) => this.#deliver(frame),
      onEnd: (response) => this.#onEventsEnd(response),
      onBrokenOff: () => this.#fail(BROKEN_OFF),
    });
  }

  start(): void {
    const { message, body, modernHeaders } = this.#request;
    const headers = {
      ...(modernHeaders ?? (this.#isOpening ? {} : this.#peer.session.headers)),
      ...POST_HEADERS,
    };
    this.#call = this.#peer.endpoint.send(
      { method: 'POST', headers, body, isRepeatable: message.method !== NOT_REPEATABLE },
      { onResponse: (response) => this.#onResponse(response), onFault: (fault) => this.#onFault(fault) },
    );
  }

  /** Ends the exchange, because nobody wants the response any more. This is how a modern server is told. */
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

  get #isOpening(): boolean {
    return this.#request.message.method === 'initialize';
  }

  #onResponse(response: HttpResponse): void {
    if (this.#isOpening && statusOf(response) < 300) this.#peer.session.onHead(response);
    if (hasType(response, 'text/event-stream')) this.#events.read(response);
    else {
      readBody(response, { maxBytes: this.#peer.maxFrameBytes, peer: this.#peer }, (body) => {
        if (this.#state !== 'open') return;
        if (this.#mayBeExpired(response, body)) void this.#takeUnlessExpired(response, body);
        else this.#take(response, body);
      });
    }
  }

  #take(response: HttpResponse, body: Body): void {
    switch (body.kind) {
      case 'frame':
        this.#onBody(response, body.frame);
        break;
      case 'broken':
        this.#onFault({ reason: 'the answer broke off', isUnreachable: false });
        break;
      case 'lost':
        if (statusOf(response) < 400) this.#peer.onLostLine(body.line);
        this.#fail(body.line.reason === 'too-large' ? TOO_LARGE : failureOf(response));
        break;
      case 'empty':
        this.#fail(failureOf(response));
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
    const error = errorFor(this.id, frame);
    if (error === undefined) this.#fail(failureOf(response));
    else this.#deliver(error);
  }

  /**
   * A session that is gone is answered with 404 (2025-11-25, "Session Management"); some servers say 400. But either may
   * also be said of the request alone.
   */
  #mayBeExpired(response: HttpResponse, body: Body): boolean {
    if (this.isModern || this.#isOpening || !this.#peer.session.hasId) return false;
    const isAnswer = body.kind === 'frame' && answerIn(body.frame, this.id) !== undefined;
    return statusOf(response) === 404 || (statusOf(response) === 400 && !isAnswer);
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
    else if (this.isModern || !this.#events.isResumable) this.#fail(BROKEN_OFF);
    else this.#events.resume();
  }

  #deliver(frame: Frame): void {
    if (this.#state === 'over') return;
    const answer = this.#state === 'open' ? answerIn(frame, this.id) : undefined;
    if (answer !== undefined) {
      this.linger();
      if (this.#isOpening) this.#peer.session.onAnswer(answer);
      this.#owner.onAnswered(this);
    }
    this.#peer.onFrame(frame, this.id);
  }

  #fail(failure: RequestFailure): void {
    this.#state = 'over';
    this.#owner.onFailed(this, failure);
  }
}

const BROKEN_OFF: RequestFailure = {
  code: 'UPSTREAM_EXITED',
  reason: 'the stream ended before the answer came',
  effect: 'unknown',
};

const TOO_LARGE: RequestFailure = {
  code: 'ANSWER_TOO_LARGE',
  reason: 'the answer is too large. Ask for less, or raise limits.frameBytes in the config',
  effect: 'unknown',
};

function answerIn(frame: Frame, id: number): ResponseMessage | undefined {
  for (const message of readBatch(frame) ?? [readMessage(frame)]) {
    if (message.kind === 'response' && echoedId(message.id) === id) return message;
  }
  return undefined;
}
