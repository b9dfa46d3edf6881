import type { TrackedCall } from './attribution.ts';

/** A call in a lane. */
export interface LaneCall extends Pick<TrackedCall, 'sessionId'> {
  readonly isSettled: boolean;
  /** Its client has a question that is not answered. */
  readonly isAsked: boolean;
}

/**
 * Lets one client after the other use an upstream that asks and does not say which call a question belongs to: while
 * calls of one client are open, those of others wait, in the order in which they came. While it is off, every call may
 * run at once.
 */
export class ClientLane<Call extends LaneCall> {
  /** Calls that have begun and are not settled. */
  readonly #running = new Set<Call>();
  #waiting: { readonly call: Call; readonly start: () => void }[] = [];
  readonly #isOn: () => boolean;

  constructor(isOn: () => boolean) {
    this.#isOn = isOn;
  }

  /** A call that runs has a question open, so its turn lasts until somebody has answered. */
  get isAwaitingClient(): boolean {
    for (const running of this.#running) if (running.isAsked) return true;
    return false;
  }

  /** Whether the call may run now; one that may not must `wait`. */
  admits(call: Call): boolean {
    if (this.#isOn() && !this.#isNext(call)) return false;
    this.#running.add(call);
    return true;
  }

  /** Runs `start` once it is the turn of the call's client. */
  wait(call: Call, start: () => void): void {
    this.#waiting.push({ call, start });
  }

  onSettled(call: Call): void {
    this.#running.delete(call);
    if (this.#waiting.length > 0) this.#startWaiting();
  }

  /**
   * Nobody overtakes those who wait, or one busy client could keep all others out. But a client that has a question open
   * may need another call to answer it, and its turn lasts as long as the question anyway.
   */
  #isNext(call: Call): boolean {
    if (!this.#isClearFor(call)) return false;
    return !this.#waiting.some((other) => !other.call.isSettled) || this.isAwaitingClient;
  }

  #isClearFor(call: Call): boolean {
    for (const running of this.#running) if (running.sessionId !== call.sessionId) return false;
    return true;
  }

  /** A call that starts may be settled at once, and bring us here again. */
  #startWaiting(): void {
    for (;;) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      if (!next.call.isSettled && !this.#isClearFor(next.call)) return;
      this.#waiting.shift();
      if (next.call.isSettled) continue;
      this.#running.add(next.call);
      next.start();
    }
  }
}
