import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { isAboutTask } from '../../era/tasks.ts';
import { ClientLane } from '../events/asks/client-lane.ts';
import { CallOrder } from './call-order.ts';
import { type CallRefusals, PATIENCE_MS } from './call-refusals.ts';
import { CallTurn } from './call-turn.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** The number of calls that may wait; further ones fail with "overloaded". */
const MAX_WAITING = 1_000;

export interface CallTurnsHost {
  readonly entry: UpstreamEntry;
  readonly oneAtATimeBy: readonly string[];
  readonly refusals: Pick<CallRefusals, 'overloaded'>;
  /** Returns true if clients must take turns, because the upstream's questions do not say which call they belong to. */
  isSerial(): boolean;
  /** Takes a call whose turn has come. */
  readonly dispatch: (call: OutgoingCall) => void;
}

/** Lets calls run in their turn: after those of other clients where clients take turns, then in the order of `CallOrder`. */
export class CallTurns {
  readonly #host: CallTurnsHost;
  readonly #order: CallOrder;
  readonly #lane: ClientLane<OutgoingCall>;
  /** Calls that wait for their turn, and when they give up. */
  readonly #waiting = new Map<OutgoingCall, NodeJS.Timeout>();

  constructor(host: CallTurnsHost) {
    this.#host = host;
    this.#lane = new ClientLane(() => host.isSerial());
    this.#order = new CallOrder(host.entry.maxConcurrency, host.oneAtATimeBy);
  }

  /** Tells whether the client whose turn it is has a question to answer first. */
  get isAwaitingClient(): boolean {
    return this.#host.isSerial() && this.#lane.isAwaitingClient;
  }

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    this.#order.setMaxConcurrency(this.#host.entry.maxConcurrency);
  }

  /** Dispatches a call, now or when its turn has come. No effect on one that is settled: its turn would never end. */
  take(call: OutgoingCall): void {
    if (call.isSettled) return;
    if (this.#waiting.size >= MAX_WAITING) {
      call.fail(this.#host.refusals.overloaded(`${MAX_WAITING} calls are waiting already`, 1_000));
      return;
    }
    // Requests about tasks do no work, and must not wait for one that lasts as long as its task.
    if (isAboutTask(call.call.text.message.method)) {
      this.#host.dispatch(call);
      return;
    }
    const turn = new CallTurn(call, this.#onBegun);
    call.turn = turn;
    if (this.#lane.admits(call)) this.#enter(call, turn);
    else this.#lane.wait(call, () => this.#enter(call, turn));
    if (!turn.hasBegun && !call.isSettled) this.#limitWait(call);
  }

  /** A call is over, or is taken back before the upstream has heard of it: the next ones have their turn. */
  end(call: OutgoingCall): void {
    this.#endWait(call);
    call.turn?.end();
    this.#lane.onSettled(call);
  }

  #enter(call: OutgoingCall, turn: CallTurn<OutgoingCall>): void {
    turn.wait(this.#order.run(call.call, turn));
  }

  readonly #onBegun = (call: OutgoingCall): void => {
    this.#endWait(call);
    if (call.isSettled) call.turn?.end();
    else this.#host.dispatch(call);
  };

  /** Limits the wait: a client that has heard nothing for this long has given up or soon will, and then the call must not run. */
  #limitWait(call: OutgoingCall): void {
    const { timeouts, maxConcurrency } = this.#host.entry;
    const seconds = timeouts.callMs / 1000;
    const giveUp = () => {
      const why = this.#host.isSerial()
        ? 'it asks its clients, so those that share it take turns: "share: session" gives each its own'
        : `maxConcurrency: ${maxConcurrency}`;
      const text = `the call waited ${seconds} s for its turn behind others and was not sent (${why})`;
      call.fail(this.#host.refusals.overloaded(text, PATIENCE_MS));
    };
    this.#waiting.set(call, setTimeout(giveUp, timeouts.callMs));
  }

  #endWait(call: OutgoingCall): void {
    if (this.#waiting.size === 0) return;
    clearTimeout(this.#waiting.get(call));
    this.#waiting.delete(call);
  }
}
