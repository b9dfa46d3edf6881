import type { GatewayError } from '../../core/errors.ts';
import type { ClientFacts, ProviderCall, RunningCall } from '../../core/providers/provider.ts';
import type { UpstreamTimeouts } from '../../core/settings/upstream-entry.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Link } from '../connection/link.ts';
import type { EndingCall } from '../events/asks/call-tracker.ts';
import type { AnsweredCall, CallAnswerHost } from './call-answer.ts';
import { CallAnswer } from './call-answer.ts';
import { withLastWords } from './call-errors.ts';
import { ownerOf } from './call-owner.ts';
import { CallRequest, type RequestedCall } from './call-request.ts';
import type { CallTurn } from './call-turn.ts';

export interface OutgoingCallOwner extends CallAnswerHost {
  /** Called when it is about to be written to the upstream; `idBefore` is the id of an earlier try. */
  onSent(call: OutgoingCall, idBefore: number): void;
  onSettled(call: OutgoingCall): void;
  /** The upstream has not heard of it: it may be sent once more when there is another connection. */
  onReturned(call: OutgoingCall): void;
  /** Quotes what the upstream wrote last to standard error, as far as this client may know. */
  lastWords(client: ClientFacts): string;
}

/**
 * A client's call on its way through one upstream. It settles once: answered, failed or cancelled. `CallRequest` is what the
 * upstream gets, `CallAnswer` what the client makes of its answer.
 */
export class OutgoingCall implements RunningCall, EndingCall, RequestedCall, AnsweredCall {
  readonly call: ProviderCall;
  readonly request: CallRequest;
  /** Its turn among the calls of the upstream, once it has asked for one. */
  turn: CallTurn<OutgoingCall> | undefined;
  readonly #answer: CallAnswer;
  readonly #owner: OutgoingCallOwner;
  /** The number of questions of the upstream that its client has and that may be this call's. */
  #questions = 0;
  #isSettled = false;

  constructor(call: ProviderCall, timeouts: UpstreamTimeouts, owner: OutgoingCallOwner) {
    this.call = call;
    this.#owner = owner;
    this.request = new CallRequest(this, timeouts.totalMs);
    this.#answer = new CallAnswer(this, timeouts, owner);
  }

  get sessionId(): string {
    return this.call.caller.sessionId;
  }

  get owner(): string {
    return ownerOf(this.call.caller);
  }

  get mayGoOn(): boolean {
    return this.#answer.mayGoOn;
  }

  get isAsked(): boolean {
    return this.#questions > 0;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  get requestId(): number {
    return this.request.id;
  }

  /** Tells whether it is written to the upstream. From then on its effect is unknown until it answers. */
  get isSent(): boolean {
    return this.request.link !== undefined;
  }

  send(link: Link): void {
    if (!this.#isSettled) this.request.send(link, this.#answer);
  }

  /** Pauses the clock while its client is asked something: that time is not the upstream's. */
  pauseClock(): void {
    if (this.#questions++ === 0) this.request.pause();
  }

  /** One of those questions is over. */
  resumeClock(): void {
    if (--this.#questions === 0) this.request.resume();
  }

  onWritten(idBefore: number): void {
    this.#owner.onSent(this, idBefore);
  }

  giveBack(): void {
    this.request.takeBack();
    this.#owner.onReturned(this);
  }

  /** Settles it with an answer; no effect where it is settled. */
  answer(reply: Reply): void {
    if (this.#settle()) this.call.caller.onReply(this.#owner.elicitations.answer(reply, this.sessionId));
  }

  /** Settles it with an error; no effect where it is settled. */
  fail(error: GatewayError): void {
    this.#answer.onFailed(error);
    if (!this.#settle()) return;
    const { caller } = this.call;
    caller.onFailure(withLastWords(error, () => this.#owner.lastWords(caller.client)));
  }

  cancel(reason?: ByteString): void {
    if (this.#settle()) this.request.cancel(reason);
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.request.unpark();
    this.#answer.end();
    this.#owner.onSettled(this);
    return true;
  }
}
