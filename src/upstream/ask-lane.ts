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

  /** Runs `start` now, or once no other client's asking call is open. */
  run(call: OutgoingCall, start: () => void): void {
    if (!this.#askingTools.has(keyOf(call))) start();
    else if (this.#mayRun(call)) this.#begin(call, start);
    else this.#waiting.push({ call, start });
  }

  onSettled(call: OutgoingCall): void {
    if (!this.#open.delete(call) && this.#waiting.length === 0) return;
    this.#waiting = this.#waiting.filter((entry) => !entry.call.isSettled);
    while (this.#waiting.length > 0 && this.#mayRun(this.#waiting[0]!.call)) {
      const { call: next, start } = this.#waiting.shift()!;
      this.#begin(next, start);
    }
  }

  #begin(call: OutgoingCall, start: () => void): void {
    this.#open.add(call);
    start();
  }

  #mayRun(call: OutgoingCall): boolean {
    for (const other of this.#open) if (other.sessionId !== call.sessionId) return false;
    return true;
  }
}

function keyOf({ call }: OutgoingCall): string {
  return `${call.text.message.method} ${call.ownName}`;
}
