import { TransientSet } from '../../../core/collections/transient-set.ts';
import type { TrackedCall } from './attribution.ts';

/** A call in a lane. */
export interface LaneCall extends Pick<TrackedCall, 'sessionId'> {
  /** True if its client has a question that is not answered. */
  readonly isAsked: boolean;
}

/**
 * Lets one client after the other use an upstream that asks and does not say which call a question belongs to: while
 * calls of one client are open, those of others wait, in the order in which they came. While it is off, every call may
 * run at once.
 */
export class ClientLane<Call extends LaneCall> {
  /** Calls that have begun and are not settled. */
  readonly #running = new TransientSet<Call>();
  /** The waiting calls with what starts them. A settled call leaves at once: it may be as large as a message. */
  readonly #waiting = new Map<Call, () => void>();
  readonly #isOn: () => boolean;

  constructor(isOn: () => boolean) {
    this.#isOn = isOn;
  }

  /** A call that runs has a question open, so its turn lasts until the question is answered. */
  get isAwaitingClient(): boolean {
    return this.#running.some((running) => running.isAsked);
  }

  /** Returns whether the call may run now; one that may not must `wait`. */
  admits(call: Call): boolean {
    if (this.#isOn() && !this.#isNext(call)) return false;
    this.#running.add(call);
    return true;
  }

  /** Runs `start` once it is the turn of the call's client. */
  wait(call: Call, start: () => void): void {
    this.#waiting.set(call, start);
  }

  onSettled(call: Call): void {
    this.#running.delete(call);
    this.#waiting.delete(call);
    if (this.#waiting.size > 0) this.#startWaiting();
  }

  /**
   * Returns true if the call may start next. No call overtakes waiting calls, or one busy client could keep all others
   * out. But a client with an open question may need another call to answer it, and its turn lasts as long as the
   * question anyway.
   */
  #isNext(call: Call): boolean {
    if (!this.#isClearFor(call)) return false;
    return this.#waiting.size === 0 || this.isAwaitingClient;
  }

  #isClearFor(call: Call): boolean {
    return this.#running.every((running) => running.sessionId === call.sessionId);
  }

  /** A call that starts may be settled at once, and bring us here again. */
  #startWaiting(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [call, start] = next;
      if (!this.#isClearFor(call)) return;
      this.#waiting.delete(call);
      this.#running.add(call);
      start();
    }
  }
}
