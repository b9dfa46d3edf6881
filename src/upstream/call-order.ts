import type { ProviderCall } from '../core/provider.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../wire/lens.ts';
import { CallLane, type Start } from './call-lane.ts';

/**
 * Decides when a call may run: within the upstream's concurrency, and one at a time among calls whose arguments name
 * the same thing (Xcode's tools disturb each other when they work on one tab).
 */
export class CallOrder {
  readonly #all: CallLane;
  readonly #oneAtATimeBy: readonly string[];
  readonly #lanes = new Map<string, { lane: CallLane; calls: number }>();

  constructor(maxConcurrency: number, oneAtATimeBy: readonly string[]) {
    this.#all = new CallLane(maxConcurrency);
    this.#oneAtATimeBy = oneAtATimeBy;
  }

  get waiting(): number {
    let total = this.#all.waiting;
    for (const { lane } of this.#lanes.values()) total += lane.waiting;
    return total;
  }

  run(call: ProviderCall, start: Start): void {
    const key = this.#oneAtATimeBy.length === 0 ? undefined : this.#keyOf(call);
    if (key === undefined) {
      this.#all.run(start);
      return;
    }
    const own = this.#lanes.get(key) ?? { lane: new CallLane(1), calls: 0 };
    own.calls++;
    this.#lanes.set(key, own);
    own.lane.run((done) => {
      this.#all.run((doneAll) =>
        start(() => {
          doneAll();
          done();
          if (--own.calls === 0) this.#lanes.delete(key);
        }),
      );
    });
  }

  /** The raw value of the first argument that names what the call works on. */
  #keyOf(call: ProviderCall): string | undefined {
    const { message, arguments: span } = call.text;
    const { text } = message.frame;
    if (span === undefined || typeOfByte(text[span.start]) !== 'object') return undefined;
    const members = membersOf(text, span);
    for (const name of this.#oneAtATimeBy) {
      const member = lastMember(members, name);
      if (member !== undefined) return `${name}=${rawText(text, member)}`;
    }
    return undefined;
  }
}
