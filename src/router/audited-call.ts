import { GatewayError } from '../core/errors.ts';
import type { CallAudit, EndedCall } from '../core/providers/call-audit.ts';
import { ForwardingCaller } from '../core/providers/forwarding-caller.ts';
import {
  type Caller,
  type ClientAsk,
  type Descriptor,
  NOTHING_TO_CANCEL,
  type Provider,
  type RunningCall,
  type WithdrawAsk,
} from '../core/providers/provider.ts';
import type { ByteString } from '../wire/bytes.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import type { Reply } from '../wire/reply.ts';

/**
 * A call that the audit records. It stands between the caller and the provider, and is the object that the audit gets
 * in the end. It is one object for all of that, because every call has one.
 */
export class AuditedCall extends ForwardingCaller<Caller> implements RunningCall, EndedCall {
  readonly text: CallText;
  readonly at = Date.now();
  provider: Provider | undefined;
  descriptor: Descriptor | undefined;
  ending: EndedCall['ending'] = 'cancelled';
  durationMs = 0;
  /** The call at its provider, which is told when the client no longer wants it. */
  running: RunningCall = NOTHING_TO_CANCEL;
  readonly #audit: CallAudit;
  readonly #begun = performance.now();
  #ended = false;

  constructor(text: CallText, caller: Caller, audit: CallAudit) {
    super(caller);
    this.text = text;
    this.#audit = audit;
  }

  onRoute(provider: Provider, descriptor: Descriptor | undefined): void {
    this.provider = provider;
    this.descriptor = descriptor;
  }

  onReply(reply: Reply): void {
    if (this.#ended) this.target.onReply(reply);
    else this.#end(reply);
  }

  onFailure(error: GatewayError): void {
    if (this.#ended) this.target.onFailure(error);
    else this.#end(error);
  }

  deliver(): void {
    const { ending } = this;
    if (ending === 'cancelled') return;
    if (ending instanceof GatewayError) this.target.onFailure(ending);
    else this.target.onReply(ending);
  }

  ask(ask: ClientAsk): WithdrawAsk {
    return this.target.ask(ask);
  }

  cancel(reason?: ByteString): void {
    this.running.cancel(reason);
    this.#end('cancelled');
  }

  #end(ending: EndedCall['ending']): void {
    if (this.#ended) return;
    this.#ended = true;
    this.ending = ending;
    this.durationMs = performance.now() - this.#begun;
    this.#audit.onCallEnded(this);
  }
}
