import type { OutgoingCall } from './outgoing-call.ts';

/**
 * A call whose question has been with its client for so long waits for the answer, and asks nothing else: servers that
 * ask several things at once do so within less. In milliseconds.
 */
const ASLEEP_MS = 250;

/**
 * Keeps calls apart whose questions could be taken for each other's. Tools that ask their client something (sampling,
 * elicitation) are remembered: calls of such tools by different clients run one after the other, unless the earlier one
 * waits for its client anyway. And while a question is new, no call of another client begins: what is asked next would be
 * nobody's.
 */
export class AskLane {
  readonly #askingTools = new Set<string>();
  /** Tools that have asked while a question of theirs was open: their calls are never taken to be asleep. */
  readonly #busyTools = new Set<string>();
  readonly #open = new Set<OutgoingCall>();
  #waiting: { call: OutgoingCall; start: () => void }[] = [];

  /** This call made the upstream ask; or, where it is not `isSure`, this one or another of its client. */
  remember(call: OutgoingCall, isSure: boolean): void {
    this.#askingTools.add(keyOf(call));
    this.#open.add(call);
    if (isSure && call.waitedMs !== undefined) this.#busyTools.add(keyOf(call));
    this.#lookAgainIn(ASLEEP_MS);
  }

  /** Whether calls of this tool are known to ask. */
  isAsking(call: OutgoingCall): boolean {
    return this.#askingTools.has(keyOf(call));
  }

  /** Whether nothing more is heard of the call until its client has answered a question. */
  isAsleep(call: OutgoingCall): boolean {
    return (call.waitedMs ?? 0) >= ASLEEP_MS && !this.#busyTools.has(keyOf(call));
  }

  /** Whether the call may run now; one that may not must `wait`. */
  admits(call: OutgoingCall): boolean {
    if (this.#askingTools.size === 0) return true;
    if (!this.isAsking(call)) return !this.#hasNewQuestion(call);
    // Nobody overtakes those who wait: one busy client could keep all others out.
    if (this.#waiting.some((other) => this.isAsking(other.call)) || !this.#isClear(call)) return false;
    this.#open.add(call);
    return true;
  }

  /** Runs `start` once the call may run. */
  wait(call: OutgoingCall, start: () => void): void {
    this.#waiting.push({ call, start });
  }

  onSettled(call: OutgoingCall): void {
    if (this.#open.delete(call) || this.#waiting.length > 0) this.#startWaiting();
  }

  /** A question may have been given to its client later than it was noted here: it is then still new at the first look. */
  #lookAgainIn(ms: number): void {
    setTimeout(() => {
      this.#startWaiting();
      const newest = Math.min(...[...this.#open].map(({ waitedMs = ASLEEP_MS }) => waitedMs));
      if (this.#waiting.length > 0 && newest < ASLEEP_MS) this.#lookAgainIn(ASLEEP_MS - newest);
    }, ms + 1).unref();
  }

  #startWaiting(): void {
    const waiting = this.#waiting.filter((entry) => !entry.call.isSettled);
    this.#waiting = [];
    const left: typeof waiting = [];
    let isBlocked = false;
    for (const entry of waiting) {
      const isAsking = this.isAsking(entry.call);
      const mayRun = isAsking ? !isBlocked && this.#isClear(entry.call) : !this.#hasNewQuestion(entry.call);
      if (mayRun) {
        if (isAsking) this.#open.add(entry.call);
        entry.start();
      } else {
        isBlocked ||= isAsking;
        left.push(entry);
      }
    }
    this.#waiting = [...left, ...this.#waiting];
  }

  /** No call of another client may ask anything now. */
  #isClear(call: OutgoingCall): boolean {
    return this.#all(call, (other) => this.isAsleep(other));
  }

  /** Another client has been asked just now, and perhaps not for the last time. */
  #hasNewQuestion(call: OutgoingCall): boolean {
    return !this.#all(call, ({ waitedMs = ASLEEP_MS }) => waitedMs >= ASLEEP_MS);
  }

  #all(call: OutgoingCall, holds: (other: OutgoingCall) => boolean): boolean {
    for (const other of this.#open) if (other.sessionId !== call.sessionId && !holds(other)) return false;
    return true;
  }
}

function keyOf({ call }: OutgoingCall): string {
  return `${call.text.message.method} ${call.ownName}`;
}
