import type { GatewayError } from '../../core/errors.ts';
import type { ProviderCall } from '../../core/providers/provider.ts';
import { hopErrorIn } from '../../era/hop-errors.ts';
import { resultTypeOf } from '../../era/input-rounds.ts';
import { MAY_REQUIRE_INPUT } from '../../era/modern/modern.ts';
import type { Edit } from '../../wire/frame.ts';
import { errorReply, openReply, type Reply, type ReplySource } from '../../wire/reply.ts';
import type { Waiter } from '../connection/pending.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { callError, cutWords } from './call-errors.ts';
import type { CallRequest } from './call-request.ts';
import { InputRounds } from './rounds.ts';

/** The call that a modern server has not simply answered. */
export interface ExchangingCall {
  readonly call: ProviderCall;
  readonly request: CallRequest;
  readonly isSettled: boolean;
  answer(reply: Reply): void;
  fail(error: GatewayError): void;
}

/** The upstream, as far as an exchange needs it. */
export interface ExchangeHost {
  readonly upstream: string;
  readonly elicitations: ElicitationIds;
  /** Reads the upstream's list of tools again. */
  readTools(): Promise<void>;
}

/**
 * Goes on with a call that a modern server has answered with an error, or with questions to a legacy client: some of that
 * the gateway can settle by sending the call again.
 */
export class ModernRetries {
  readonly #of: ExchangingCall;
  readonly #waiter: Waiter;
  readonly #host: ExchangeHost;
  #rounds: InputRounds | undefined;
  #isAfresh = false;
  /** The edits with which the call was sent last. */
  #retry: readonly Edit[] = [];

  /** @param waiter who gets the answers to what is sent again */
  constructor(of: ExchangingCall, waiter: Waiter, host: ExchangeHost) {
    this.#of = of;
    this.#waiter = waiter;
    this.#host = host;
  }

  /** Takes an answer that is not complete in itself: see `isComplete`. */
  take(reply: Reply): void {
    if (reply.outcome === 'error') this.#onError(reply);
    else this.#onIncomplete(openReply(reply));
  }

  /** Takes back what the client is asked: the call is over. */
  end(): void {
    this.#rounds?.withdraw('the call is over');
  }

  #onError(reply: Reply): void {
    const error = hopErrorIn(openReply(reply));
    if (error?.kind === 'header-mismatch' && this.#maySendAfresh()) void this.#sendAfresh(error.message);
    else if (error?.kind === 'own-fault' || error?.kind === 'header-mismatch') this.#answerOwnFault(error.message);
    else if (error?.kind === 'missing-capability' && this.#of.call.caller.client.era === 'legacy') {
      const names = error.names.join(', ') || 'a capability that it does not name';
      const text = `it needs a client that supports ${names}`;
      this.#of.fail(callError(this.#host.upstream, 'CAPABILITY_MISSING', text, 'none'));
    } else this.#of.answer(reply);
  }

  #onIncomplete(source: ReplySource): void {
    const type = resultTypeOf(source);
    if (type === 'input_required' && MAY_REQUIRE_INPUT.has(this.#of.call.text.message.method)) this.#askClient(source);
    else {
      const text = `invalid answer: results of the type ${JSON.stringify(type)} have no meaning here`;
      this.#of.fail(callError(this.#host.upstream, 'UPSTREAM_INVALID_ANSWER', text, 'unknown'));
    }
  }

  #answerOwnFault(said: string): void {
    const message = `${this.#host.upstream}: it refused the request as the gateway wrote it: ${cutWords(said)}`;
    this.#of.answer(errorReply({ code: -32603, message }));
  }

  /** Returns true if the call may be sent again: only a tool's list entry says which headers its calls need. */
  #maySendAfresh(): boolean {
    return !this.#isAfresh && this.#of.call.text.message.method === 'tools/call';
  }

  /**
   * Sends the call again with headers made from the current list, because nothing has run (2026-07-28, "Server Behavior
   * for Custom Headers").
   */
  async #sendAfresh(said: string): Promise<void> {
    this.#isAfresh = true;
    this.#of.request.park(this.#waiter);
    try {
      await this.#host.readTools();
    } catch {
      this.#answerOwnFault(said);
      return;
    }
    if (!this.#of.isSettled) this.#sendAgain(this.#retry);
  }

  #askClient(source: ReplySource): void {
    this.#of.request.park(this.#waiter);
    this.#rounds ??= new InputRounds({
      upstream: this.#host.upstream,
      elicitations: this.#host.elicitations,
      call: this.#of.call,
      resend: (edits) => this.#sendAgain(edits),
      fail: (error) => this.#of.fail(error),
    });
    this.#rounds.begin(source);
  }

  #sendAgain(edits: readonly Edit[]): void {
    this.#retry = edits;
    const { request } = this.#of;
    if (request.link !== undefined) request.send(request.link, this.#waiter, edits);
  }
}

/**
 * Returns whether a modern server's answer ends the call as it is. Legacy clients get complete results only, and an error
 * may be about the gateway's own part in the request.
 */
export function isComplete(reply: Reply, { client }: ProviderCall['caller']): boolean {
  if (reply.outcome === 'error') return false;
  return client.era === 'modern' || resultTypeOf(openReply(reply)) === 'complete';
}
