import { GatewayError, toGatewayError } from '../../core/errors.ts';
import type { ClientFacts, ProviderCall } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { isAboutTask } from '../../era/tasks.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Link } from '../connection/link.ts';
import type { ConnectionState } from '../connection/machine.ts';
import { CallTracker } from '../events/asks/call-tracker.ts';
import { ClientLane } from '../events/asks/client-lane.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { CallOrder } from './call-order.ts';
import { OutgoingCall, type OutgoingCallOwner } from './outgoing-call.ts';

/** A call waits so long for an upstream that will be tried again; beyond it, the client is told to come back. */
const PATIENCE_MS = 5_000;
/** More would be growth without bound; the answer is "overloaded". */
const MAX_WAITING = 1_000;
const MAX_QUEUED_BYTES = 8 * 1024 * 1024;

export interface UpstreamCallsHost {
  readonly entry: UpstreamEntry;
  readonly oneAtATimeBy: readonly string[];
  /** Says what brings the connection back. */
  readonly againHint: string;
  readonly elicitations: ElicitationIds;
  /** Its questions do not say which call they are of: clients have to take turns. */
  isSerial(): boolean;
  state(): ConnectionState;
  link(): Link | undefined;
  want(): void;
  /**
   * Whether the connection may be replaced where a call that was given up could be taken for another client's: nobody then
   * keeps anything on it. `renew` replaces it.
   */
  isRenewable(): boolean;
  renew(): void;
  readTools(): Promise<void>;
  /** The answer to a call that is not sent, because the upstream is of an era without such; `undefined` for all others. */
  ownAnswer(call: ProviderCall, link: Link): Promise<Reply> | undefined;
  onSettled(call: OutgoingCall): void;
  /** Quotes what the upstream wrote last to standard error, as far as this client may know; `''` where there is nothing. */
  lastWords(client: ClientFacts): string;
  /** The upstream's answer with the uris that clients use. */
  publicReply(call: ProviderCall, reply: Reply): Reply;
}

/** The calls of all clients to one upstream, from arrival to their end. */
export class UpstreamCalls {
  readonly #host: UpstreamCallsHost;
  readonly tracker = new CallTracker<OutgoingCall>();
  readonly #owner: OutgoingCallOwner;
  readonly #order: CallOrder;
  readonly #lane: ClientLane<OutgoingCall>;
  /** Calls that wait for a connection, and when they give up. */
  readonly #held = new Map<OutgoingCall, NodeJS.Timeout>();
  /** Calls that wait for their turn, and when they give up. */
  readonly #queued = new Map<OutgoingCall, NodeJS.Timeout>();

  constructor(host: UpstreamCallsHost) {
    this.#host = host;
    this.#owner = {
      elicitations: host.elicitations,
      onSent: (call, idBefore) => this.tracker.onSent(call, idBefore),
      onSettled: (call) => this.#onSettled(call),
      onReturned: (call) => this.#takeBack(call),
      readTools: () => this.#host.readTools(),
      lastWords: (client) => this.#host.lastWords(client),
      publicReply: (call, reply) => this.#host.publicReply(call, reply),
    };
    this.#lane = new ClientLane(() => host.isSerial());
    this.#order = new CallOrder(host.entry.maxConcurrency, host.oneAtATimeBy);
  }

  get hasOpen(): boolean {
    return this.tracker.size > 0;
  }

  /** Clients take turns, and the one whose turn it is has a question to answer first. */
  get isAwaitingClient(): boolean {
    return this.#host.isSerial() && this.#lane.isAwaitingClient;
  }

  get counts(): { open: number; waiting: number } {
    return { open: this.tracker.size, waiting: this.#queued.size + this.#held.size };
  }

  call(call: ProviderCall): OutgoingCall {
    const { entry } = this.#host;
    const outgoing = new OutgoingCall(call, entry.key, entry.timeouts, this.#owner);
    const refusal = this.#refusal();
    if (refusal !== undefined) outgoing.onFailure(refusal);
    else if (this.#host.link() === undefined) this.#hold(outgoing);
    else this.#start(outgoing);
    return outgoing;
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    this.#order.setMaxConcurrency(this.#host.entry.maxConcurrency);
  }

  /** A connection is there: what waited for it goes on. */
  onConnected(): void {
    const held = [...this.#held.keys()];
    this.#releaseHeld();
    for (const call of held) this.#start(call);
  }

  /** There will be no connection by itself in bearable time: what waits is answered. */
  onStateChange(): void {
    const state = this.#host.state();
    // A start on demand that failed is not tried again for those who waited for it: they hear what went wrong.
    const refusal =
      state.name === 'stopped'
        ? this.#error('UPSTREAM_NOT_CONNECTED', `not connected: ${state.reason}`)
        : this.#refusal();
    if (refusal === undefined) return;
    const held = [...this.#held.keys()];
    this.#releaseHeld();
    for (const call of held) call.onFailure(refusal);
  }

  #releaseHeld(): void {
    for (const timer of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
  }

  #hold(call: OutgoingCall): void {
    this.#host.want();
    const giveUp = () => {
      call.onFailure(
        this.#error('UPSTREAM_NOT_CONNECTED', 'it is still starting; try again in a moment', {
          retryAfterMs: PATIENCE_MS,
        }),
      );
    };
    this.#held.set(call, setTimeout(giveUp, this.#host.entry.timeouts.connectMs));
  }

  #start(call: OutgoingCall): void {
    if (this.#queued.size >= MAX_WAITING) {
      call.onFailure(this.#error('OVERLOADED', `${MAX_WAITING} calls are waiting already`, { retryAfterMs: 1_000 }));
      return;
    }
    // Requests about tasks do no work, and must not wait for one that lasts as long as its task.
    if (isAboutTask(call.call.text.message.method)) this.#send(call, () => undefined);
    else if (this.#lane.admits(call)) this.#runInTurn(call);
    else this.#lane.wait(call, () => this.#runInTurn(call));
    if (!call.hasBegun && !call.isSettled) this.#limitWait(call);
  }

  #runInTurn(call: OutgoingCall): void {
    const leave = this.#order.run(call.call, (done) => this.#send(call, done));
    if (leave !== undefined) call.onDone = leave;
  }

  /** Whoever has heard nothing for so long has given up, or will soon: the call must not run after that. */
  #limitWait(call: OutgoingCall): void {
    const { timeouts, maxConcurrency } = this.#host.entry;
    const seconds = timeouts.callMs / 1000;
    const giveUp = () => {
      const why = this.#host.isSerial()
        ? 'it asks its clients, so those that share it take turns: "share: session" gives each its own'
        : `maxConcurrency: ${maxConcurrency}`;
      const text = `the call waited ${seconds} s for its turn behind others and was not sent (${why})`;
      call.onFailure(this.#error('OVERLOADED', text, { retryAfterMs: PATIENCE_MS }));
    };
    this.#queued.set(call, setTimeout(giveUp, timeouts.callMs));
  }

  #endWait(call: OutgoingCall): void {
    if (this.#queued.size === 0) return;
    clearTimeout(this.#queued.get(call));
    this.#queued.delete(call);
  }

  #send(call: OutgoingCall, done: () => void): void {
    call.hasBegun = true;
    call.onDone = done;
    this.#endWait(call);
    if (call.isSettled) {
      done();
      return;
    }
    const link = this.#host.link();
    if (link === undefined || link.isExpired) {
      const refusal = this.#refusal();
      if (refusal === undefined) this.#takeBack(call);
      else call.onFailure(refusal);
      return;
    }
    if (link.queuedBytes > MAX_QUEUED_BYTES) {
      call.onFailure(this.#error('OVERLOADED', 'it does not read what it is sent', { retryAfterMs: 1_000 }));
      return;
    }
    if (this.#isTaintedFor(call)) {
      this.#host.renew();
      this.#takeBack(call);
      return;
    }
    const answer = this.#host.ownAnswer(call.call, link);
    if (answer !== undefined) {
      answer.then(
        (reply) => call.answer(reply),
        (error: unknown) => call.onFailure(toGatewayError(error)),
      );
      return;
    }
    call.send(link);
  }

  /** What is asked during this call could be for a call that another client has given up. */
  #isTaintedFor(call: OutgoingCall): boolean {
    return this.tracker.size === 0 && this.#host.isRenewable() && this.tracker.isTaintedFor(call.owner);
  }

  /** The upstream has not heard of it, and the connection is about to be replaced, or is replaced already. */
  #takeBack(call: OutgoingCall): void {
    this.tracker.onReturned(call);
    const link = this.#host.link();
    const isReplaced = link !== undefined && !link.isExpired;
    if (!isReplaced) this.#hold(call);
    call.onDone?.();
    call.onDone = undefined;
    this.#lane.onSettled(call);
    if (isReplaced) this.#start(call);
  }

  #onSettled(call: OutgoingCall): void {
    if (this.#held.size > 0) {
      clearTimeout(this.#held.get(call));
      this.#held.delete(call);
    }
    this.#endWait(call);
    this.tracker.onSettled(call);
    call.onDone?.();
    this.#lane.onSettled(call);
    this.#host.onSettled(call);
  }

  /** Why a call cannot even wait now. */
  #refusal(): GatewayError | undefined {
    const state = this.#host.state();
    switch (state.name) {
      case 'idle':
      case 'ready':
      case 'waiting':
      case 'starting':
        return undefined;
      case 'backoff':
        return state.retryAt - Date.now() <= PATIENCE_MS
          ? undefined
          : this.#error('UPSTREAM_NOT_CONNECTED', `${state.reason}; restarting`, {
              retryAfterMs: Math.max(0, state.retryAt - Date.now()),
            });
      case 'crash-loop':
        return this.#error(
          'UPSTREAM_CRASH_LOOP',
          `${state.reason}; it ended too often and stays off. ${this.#host.againHint}`,
        );
      case 'needs-auth':
        return this.#error('UPSTREAM_NEEDS_AUTH', state.reason);
      case 'stopped':
        if (this.#host.entry.restart === 'on-demand' && !state.byHand) return undefined;
        return this.#error('UPSTREAM_NOT_CONNECTED', `not connected: ${state.reason}. ${this.#host.againHint}`);
      default:
        return this.#error('UPSTREAM_NOT_CONNECTED', `not connected: ${state.reason}. ${this.#host.againHint}`);
    }
  }

  #error(
    code: 'UPSTREAM_NOT_CONNECTED' | 'UPSTREAM_CRASH_LOOP' | 'UPSTREAM_NEEDS_AUTH' | 'OVERLOADED',
    text: string,
    detail: { retryAfterMs?: number } = {},
  ): GatewayError {
    const { key } = this.#host.entry;
    return new GatewayError(code, `${key}: ${text}`, { upstream: key, effect: 'none', ...detail });
  }
}
