import type { GatewayError } from '../../core/errors.ts';
import type { ProviderCall } from '../../core/providers/provider.ts';
import type { UpstreamTimeouts } from '../../core/settings/upstream-entry.ts';
import type { Frame } from '../../wire/frame.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import { type Reply, relayedReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Waiter } from '../connection/pending.ts';
import { callError, isOverAtUpstream } from './call-errors.ts';
import { type ExchangeHost, type ExchangingCall, isComplete, ModernRetries } from './modern-retries.ts';
import { NewestProgress } from './newest-progress.ts';

/** The call that waits for its answer. */
export interface AnsweredCall extends ExchangingCall {
  /** The upstream has not heard of the call: it may be sent on another connection. */
  giveBack(): void;
}

export interface CallAnswerHost extends ExchangeHost {
  /** Puts the uris that clients use into the upstream's answer. */
  publicReply(call: ProviderCall, reply: Reply): Reply;
}

/** Takes what the upstream says to a call, and makes of it what the client hears. */
export class CallAnswer implements Waiter {
  readonly isCancellable = true;
  readonly idleMs: number;
  readonly #of: AnsweredCall;
  readonly #host: CallAnswerHost;
  /** The id of the try with which the upstream has nothing more to do. */
  #overId: number | undefined;
  #wasGivenBack = false;
  #exchange: ModernRetries | undefined;
  #progress: NewestProgress | undefined;

  constructor(of: AnsweredCall, timeouts: Pick<UpstreamTimeouts, 'callMs' | 'totalMs'>, host: CallAnswerHost) {
    // A server is silent until the task is done, however long that takes.
    this.idleMs = of.call.text.message.method === 'tasks/result' ? timeouts.totalMs : timeouts.callMs;
    this.#of = of;
    this.#host = host;
  }

  get totalMs(): number {
    return this.#of.request.leftMs;
  }

  /** Tells whether the upstream may still work on what was sent last. */
  get mayGoOn(): boolean {
    return this.#overId !== this.#of.request.id;
  }

  whenRoom(): Promise<void> | undefined {
    return this.#of.call.caller.whenRoom?.();
  }

  onResponse(message: ResponseMessage): void {
    this.#overId = this.#of.request.id;
    const isModern = this.#of.request.link?.era === 'modern';
    const own = relayedReply(message, isModern);
    if ('problem' in own) {
      const text = `invalid answer: ${own.problem}`;
      this.#of.fail(callError(this.#host.upstream, 'UPSTREAM_INVALID_ANSWER', text, 'unknown'));
      return;
    }
    const reply = this.#host.publicReply(this.#of.call, own);
    if (!isModern || isComplete(reply, this.#of.call.caller)) this.#of.answer(reply);
    else {
      this.#exchange ??= new ModernRetries(this.#of, this, this.#host);
      this.#exchange.take(reply);
    }
  }

  onFailure(error: GatewayError): void {
    this.#of.fail(error);
  }

  /** Gives the call back once: a server that forgets each new session, too, would be sent the call forever. */
  onUnheard(error: GatewayError): void {
    if (this.#of.isSettled) return;
    if (this.#wasGivenBack) this.#of.fail(error);
    else {
      this.#wasGivenBack = true;
      this.#of.giveBack();
    }
  }

  onProgress(frame: Frame, token: Span): void {
    if (this.#of.isSettled) return;
    this.#progress ??= new NewestProgress(this.#of.call.caller);
    this.#progress.take(frame, token);
  }

  /** Notes how the call failed: what the upstream has answered, or never had, does not go on there. */
  onFailed(error: GatewayError): void {
    if (isOverAtUpstream(error)) this.#overId = this.#of.request.id;
  }

  /** The call is settled: the last progress arrives, and nothing is asked any more. */
  end(): void {
    this.#progress?.end();
    this.#exchange?.end();
  }
}
