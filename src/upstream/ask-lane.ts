import type { OutgoingCall } from './outgoing-call.ts';

/**
 * Tools that ask their client something (sampling, elicitation) are remembered. Calls of such tools by different
 * clients run one after the other: while two are open, nobody could tell whose question it is.
 */
export class AskLane {
  readonly #askingTools = new Set<string>();
  readonly #open = new Set<OutgoingCall>();
  #waiting: { call: OutgoingCall; start: () => void }[] = [];

  /** This call, or another of its client, made the upstream ask. */
  remember(call: OutgoingCall): void {
    this.#askingTools.add(keyOf(call));
    this.#open.add(call);
  }

  /** Whether the call may run now; one that may not must `wait`. */
  admits(call: OutgoingCall): boolean {
    if (this.#askingTools.size === 0 || !this.#askingTools.has(keyOf(call))) return true;
    // Nobody overtakes those who wait: one busy client could keep all others out.
    if (this.#waiting.length > 0 || !this.#mayRun(call)) return false;
    this.#open.add(call);
    return true;
  }

  /** Runs `start` once no other client's asking call is open. */
  wait(call: OutgoingCall, start: () => void): void {
    this.#waiting.push({ call, start });
  }

  onSettled(call: OutgoingCall): void {
    if (!this.#open.delete(call) && this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((entry) => !entry.call.isSettled);
    while (this.#waiting.length > 0 && this.#mayRun(this.#waiting[0]!.call)) {
      const { call: next, start } = this.#waiting.shift()!;
      this.#open.add(next);
      start();
    }
  }

  #mayRun(call: OutgoingCall): boolean {
    for (const other of this.#open) if (other.sessionId !== call.sessionId) return false;
    return true;
  }
}

function keyOf({ call }: OutgoingCall): string {
  return `${call.text.message.method} ${call.ownName}`;
}
