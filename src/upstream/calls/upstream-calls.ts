import type { ClientFacts, ProviderCall } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Link } from '../connection/link.ts';
import { CallTracker } from '../events/asks/call-tracker.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { CallDispatch, type CallDispatchHost } from './call-dispatch.ts';
import { CallRefusals, type CallRefusalsHost } from './call-refusals.ts';
import { CallTurns } from './call-turns.ts';
import { HeldCalls } from './held-calls.ts';
import { OutgoingCall, type OutgoingCallOwner } from './outgoing-call.ts';

export interface UpstreamCallsHost
  extends CallRefusalsHost,
    Pick<CallDispatchHost, 'link' | 'isRenewable' | 'renew' | 'ownAnswer'> {
  readonly entry: UpstreamEntry;
  readonly oneAtATimeBy: readonly string[];
  readonly elicitations: ElicitationIds;
  /** Returns true if clients must take turns, because the upstream's questions do not say which call they belong to. */
  isSerial(): boolean;
  /** A call wants a connection. */
  want(): void;
  readTools(): Promise<void>;
  onSettled(call: OutgoingCall): void;
  /** Quotes what the upstream wrote last to standard error, as far as this client may know; `''` if there is nothing. */
  lastWords(client: ClientFacts): string;
  /** Puts the uris that clients use into the upstream's answer. */
  publicReply(call: ProviderCall, reply: Reply): Reply;
}

/**
 * The calls of all clients to one upstream, from arrival to their end. A call goes one way: here it is held until there is
 * a connection, `CallTurns` holds it until its turn, `CallDispatch` sends it. One that the upstream has not heard comes
 * here once more.
 */
export class UpstreamCalls {
  readonly tracker = new CallTracker<OutgoingCall>();
  readonly #host: UpstreamCallsHost;
  readonly #owner: OutgoingCallOwner;
  readonly #refusals: CallRefusals;
  readonly #turns: CallTurns;
  readonly #held = new HeldCalls<OutgoingCall>();

  constructor(host: UpstreamCallsHost) {
    this.#host = host;
    this.#owner = this.#ownerOfCalls();
    this.#refusals = new CallRefusals(host);
    const dispatch = this.#newDispatch();
    this.#turns = new CallTurns({
      entry: host.entry,
      oneAtATimeBy: host.oneAtATimeBy,
      refusals: this.#refusals,
      isSerial: () => host.isSerial(),
      dispatch: (call) => dispatch.dispatch(call),
    });
  }

  get hasOpen(): boolean {
    return this.tracker.size > 0;
  }

  /** Tells whether clients take turns and the one whose turn it is has a question to answer first. */
  get isAwaitingClient(): boolean {
    return this.#turns.isAwaitingClient;
  }

  get counts(): { open: number; waiting: number } {
    return { open: this.tracker.size, waiting: this.#turns.waiting + this.#held.size };
  }

  /** Takes a client's call: sends it, lets it wait, or refuses it. */
  call(call: ProviderCall): OutgoingCall {
    const outgoing = new OutgoingCall(call, this.#host.entry.timeouts, this.#owner);
    const refusal = this.#refusals.now();
    if (refusal !== undefined) outgoing.fail(refusal);
    else if (this.#host.link() === undefined) this.#hold(outgoing);
    else this.#turns.take(outgoing);
    return outgoing;
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    this.#turns.onRulesChanged();
  }

  /** A connection is there: what waited for it goes on. */
  onConnected(): void {
    for (const call of this.#held.release()) this.#turns.take(call);
  }

  /** Answers what waits for a connection, where there will be none by itself in bearable time. */
  onStateChange(): void {
    const refusal = this.#refusals.ofHeld();
    if (refusal === undefined) return;
    for (const call of this.#held.release()) call.fail(refusal);
  }

  #ownerOfCalls(): OutgoingCallOwner {
    const host = this.#host;
    return {
      upstream: host.entry.key,
      elicitations: host.elicitations,
      onSent: (call, idBefore) => this.tracker.onSent(call, idBefore),
      onSettled: (call) => this.#onSettled(call),
      onReturned: (call) => this.#takeBack(call),
      readTools: () => host.readTools(),
      lastWords: (client) => host.lastWords(client),
      publicReply: (call, reply) => host.publicReply(call, reply),
    };
  }

  #newDispatch(): CallDispatch {
    const host = this.#host;
    return new CallDispatch({
      tracker: this.tracker,
      refusals: this.#refusals,
      link: () => host.link(),
      isRenewable: () => host.isRenewable(),
      renew: () => host.renew(),
      ownAnswer: (call, link) => host.ownAnswer(call, link),
      takeBack: (call) => this.#takeBack(call),
    });
  }

  #hold(call: OutgoingCall): void {
    this.#host.want();
    this.#held.hold(call, this.#host.entry.timeouts.connectMs, () => this.#refusals.stillStarting());
  }

  /** The upstream has not heard of it, and the connection is about to be replaced, or is replaced already. */
  #takeBack(call: OutgoingCall): void {
    this.tracker.onReturned(call);
    const link: Link | undefined = this.#host.link();
    const isReplaced = link !== undefined && !link.isExpired;
    if (!isReplaced) this.#hold(call);
    this.#turns.end(call);
    if (isReplaced) this.#turns.take(call);
  }

  #onSettled(call: OutgoingCall): void {
    this.#held.remove(call);
    this.tracker.onSettled(call);
    this.#turns.end(call);
    this.#host.onSettled(call);
  }
}
