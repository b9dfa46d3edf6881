import { type GatewayError, toGatewayError } from '../../core/errors.ts';
import type { ProviderCall } from '../../core/providers/provider.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Link } from '../connection/link.ts';
import type { CallTracker } from '../events/asks/call-tracker.ts';
import type { CallRefusals } from './call-refusals.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** The most bytes that an upstream may leave unread before it gets no more calls. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

export interface CallDispatchHost {
  readonly tracker: Pick<CallTracker<OutgoingCall>, 'size' | 'isTaintedFor'>;
  readonly refusals: Pick<CallRefusals, 'now' | 'overloaded'>;
  link(): Link | undefined;
  /**
   * Returns whether the connection may be replaced if an abandoned call could be taken for another client's: no client
   * then has any state on it. `renew` replaces it.
   */
  isRenewable(): boolean;
  renew(): void;
  /** Returns the answer to a call that is not sent, because the upstream has no such method; `undefined` for all others. */
  ownAnswer(call: ProviderCall, link: Link): Promise<Reply> | undefined;
  /** Takes back a call for which there is no connection now. */
  takeBack(call: OutgoingCall): void;
}

/** The last step of a call on its way out: sends it on the present connection, unless something speaks against it. */
export class CallDispatch {
  readonly #host: CallDispatchHost;

  constructor(host: CallDispatchHost) {
    this.#host = host;
  }

  /** Sends a call whose turn has come, answers it, or gives it back. */
  dispatch(call: OutgoingCall): void {
    const link = this.#host.link();
    if (link === undefined || link.isExpired) this.#failOrTakeBack(call, this.#host.refusals.now());
    else if (link.queuedBytes > MAX_QUEUED_BYTES) {
      call.fail(this.#host.refusals.overloaded('it does not read its input', 1_000));
    } else if (this.#isTaintedFor(call)) {
      this.#host.renew();
      this.#host.takeBack(call);
    } else this.#sendOrAnswer(call, link);
  }

  #failOrTakeBack(call: OutgoingCall, refusal: GatewayError | undefined): void {
    if (refusal === undefined) this.#host.takeBack(call);
    else call.fail(refusal);
  }

  /** Returns whether what is asked during this call could be for a call that another client has given up. */
  #isTaintedFor(call: OutgoingCall): boolean {
    const { tracker } = this.#host;
    return tracker.size === 0 && this.#host.isRenewable() && tracker.isTaintedFor(call.owner);
  }

  #sendOrAnswer(call: OutgoingCall, link: Link): void {
    const answer = this.#host.ownAnswer(call.call, link);
    if (answer === undefined) call.send(link);
    else {
      answer.then(
        (reply) => call.answer(reply),
        (error: unknown) => call.fail(toGatewayError(error)),
      );
    }
  }
}
