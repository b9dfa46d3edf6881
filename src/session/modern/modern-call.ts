import { GatewayError } from '../../core/errors.ts';
import { ForwardingCaller } from '../../core/providers/forwarding-caller.ts';
import type { ClientAsk, RunningCall, WithdrawAsk } from '../../core/providers/provider.ts';
import { hopErrorIn } from '../../era/hop-errors.ts';
import { requiredUrls } from '../../era/input-required.ts';
import { MAY_REQUIRE_INPUT } from '../../era/modern/modern.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { CallText } from '../../wire/edits/call-text.ts';
import { openReply, type Reply } from '../../wire/reply.ts';
import { failureReply } from '../failure.ts';
import { askInRule } from '../roots/asked-roots.ts';
import { type AskingCall, CallInput } from './call-input.ts';
import { CallOutput, type ModernRequest, type NamedServer } from './call-output.ts';
import type { Parking } from './parking.ts';

/** The gateway, as far as a call needs it. */
export interface ModernCallHost extends NamedServer {
  readonly parking: Parking<CallInput>;
  route(text: CallText, call: ModernCall): RunningCall;
  onCallEnded(call: ModernCall): void;
}

export interface CallIdentity {
  readonly id: string;
  /** The client that a provider takes the call to belong to when it asks or logs something. */
  readonly sessionId: string;
  /** The client that alone may go on with the call. */
  readonly identity: string;
}

/** A modern client's call while a provider works on it, also while it is parked because the provider asks something. */
export class ModernCall extends ForwardingCaller<CallOutput> implements AskingCall {
  readonly #identity: CallIdentity;
  readonly #host: ModernCallHost;
  readonly #text: CallText;
  #running: RunningCall | undefined;
  /** Made at the first question: most calls have none. */
  #input: CallInput | undefined;
  #isOver = false;

  constructor(request: ModernRequest, identity: CallIdentity, host: ModernCallHost) {
    super(new CallOutput(request, identity.sessionId, host));
    this.#text = request.text;
    this.#identity = identity;
    this.#host = host;
  }

  get output(): CallOutput {
    return this.target;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isParked(): boolean {
    return !this.output.isOpen && !this.#isOver;
  }

  /** Sends the call to its provider; again, where that wants it made once more. */
  start(): void {
    this.#running = this.#host.route(this.#text, this);
  }

  onReply(reply: Reply): void {
    if (this.#isOver) return;
    const mayAsk = reply.isModern !== true && MAY_REQUIRE_INPUT.has(this.#text.message.method);
    const urls = mayAsk ? requiredUrls(reply) : undefined;
    if (urls === undefined) this.answer(reply);
    else this.#openInput().askForUrls(urls);
  }

  onFailure(error: GatewayError): void {
    this.onReply(failureReply(this.#text.message.method, error));
  }

  ask(ask: ClientAsk): WithdrawAsk {
    return askInRule(ask, {
      rule: this.client.folderRule,
      tell: (message) => this.onNotification(message),
      send: (checked) => this.#ask(checked),
    });
  }

  /** Cancels the call for its client, which does not want it any more: no answer follows. */
  cancel(reason?: ByteString): void {
    if (!this.#end()) return;
    this.#running?.cancel(reason);
    this.output.abandon();
    this.#input?.dropQuestions();
  }

  giveUp(reply: Reply, status?: number): void {
    this.#running?.cancel();
    this.answer(reply, status);
  }

  answer(reply: Reply, status?: number): void {
    if (!this.output.isOpen) {
      this.output.keepAnswer(reply);
      return;
    }
    if (!this.#end()) return;
    this.output.reply(reply, status ?? statusOf(reply));
    this.#input?.dropQuestions();
  }

  #ask(ask: ClientAsk): WithdrawAsk {
    const { method } = this.#text.message;
    if (!this.#isOver && MAY_REQUIRE_INPUT.has(method)) return this.#openInput().ask(ask);
    const why = this.#isOver ? 'The call has ended' : `${method} cannot ask its client anything`;
    ask.onFailure(new GatewayError('CAPABILITY_MISSING', why));
    return () => undefined;
  }

  #openInput(): CallInput {
    const { id, identity } = this.#identity;
    this.#input ??= new CallInput(this, { id, identity, text: this.#text, parking: this.#host.parking });
    return this.#input;
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#input?.leave();
    this.#host.onCallEnded(this);
    return true;
  }
}

/** Returns the HTTP status of the one error of a server's own that has one (2026-07-28, "Per-request protocol fields"). */
function statusOf(reply: Reply): number | undefined {
  if (reply.outcome !== 'error' || reply.isModern !== true) return undefined;
  return hopErrorIn(openReply(reply))?.kind === 'missing-capability' ? 400 : undefined;
}
