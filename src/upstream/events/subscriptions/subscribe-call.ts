import type { GatewayError } from '../../../core/errors.ts';
import { callerWith } from '../../../core/providers/caller.ts';
import type { ProviderCall, RunningCall } from '../../../core/providers/provider.ts';
import { type Reply, resultReply } from '../../../wire/reply.ts';

/** The outcome of a request at the upstream: `unknown` where it may have been carried out. */
export type Outcome = 'good' | 'refused' | 'unsent' | 'unknown';

/** A call on its way to the upstream, as far as it matters here. */
export interface SentCall extends RunningCall {
  /** True if it was written to the upstream. */
  readonly isSent: boolean;
}

export type SendCall = (call: ProviderCall) => SentCall;

/**
 * A client's request to subscribe or unsubscribe. Once it is with the upstream it runs to its end even if the client cancels
 * it: what the upstream then has must be known.
 */
export class SubscribeCall implements RunningCall {
  readonly #call: ProviderCall;
  #sent: SentCall | undefined;
  #isAnswered = false;
  #isCancelled = false;
  #onOutcome: ((outcome: Outcome) => void) | undefined;

  constructor(call: ProviderCall) {
    this.#call = call;
  }

  /** True if its client does not want the response any more. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  get isSent(): boolean {
    return this.#sent?.isSent === true;
  }

  /** Sends it. `onOutcome` is told once what became of it, before the client is. */
  send(send: SendCall, onOutcome: (outcome: Outcome) => void): void {
    this.#onOutcome = onOutcome;
    const { caller } = this.#call;
    const sent = send({
      ...this.#call,
      caller: callerWith(caller, {
        onReply: (reply) => this.#settle(reply.outcome === 'result' ? 'good' : 'refused', () => caller.onReply(reply)),
        onFailure: (error) => this.#settle(outcomeOf(error), () => caller.onFailure(error)),
      }),
    });
    this.#sent = sent;
  }

  /** Answers it without asking the upstream. */
  answer(reply: Reply = resultReply({})): void {
    this.#answer(() => this.#call.caller.onReply(reply));
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#isAnswered = true;
    if (this.#sent === undefined || this.#sent.isSent) return;
    this.#sent.cancel();
    this.#settle('unsent', () => undefined);
  }

  #settle(outcome: Outcome, answer: () => void): void {
    const onOutcome = this.#onOutcome;
    this.#onOutcome = undefined;
    onOutcome?.(outcome);
    this.#answer(answer);
  }

  #answer(answer: () => void): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    answer();
  }
}

function outcomeOf({ detail }: GatewayError): Outcome {
  return detail.effect === 'none' ? 'refused' : 'unknown';
}
