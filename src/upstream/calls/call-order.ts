import type { ProviderCall } from '../../core/providers/provider.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../../wire/lens.ts';
import { CallLane, type Leave, type Start } from './call-lane.ts';

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

  /** Another concurrency holds from now on. */
  setMaxConcurrency(maxConcurrency: number): void {
    this.#all.setLimit(maxConcurrency);
  }

  /** Begins the call, now or in its turn. For a call that waits it returns how it can leave. */
  run(call: ProviderCall, start: Start): Leave | undefined {
    const key = this.#oneAtATimeBy.length === 0 ? undefined : this.#keyOf(call);
    return key === undefined ? this.#all.run(start) : this.#runAlone(key, start);
  }

  /** First it waits for its turn among calls of the same key, then for room among all. */
  #runAlone(key: string, start: Start): Leave | undefined {
    const own = this.#lanes.get(key) ?? { lane: new CallLane(1), calls: 0 };
    own.calls++;
    this.#lanes.set(key, own);
    const forget = () => {
      if (--own.calls === 0) this.#lanes.delete(key);
    };
    let hasBegun = false;
    let leave: Leave | undefined;
    const leaveOwn = own.lane.run((done) => {
      const end = () => {
        done();
        forget();
      };
      const leaveAll = this.#all.run((doneAll) => {
        hasBegun = true;
        start(() => {
          doneAll();
          end();
        });
      });
      leave = () => {
        leaveAll?.();
        end();
      };
    });
    leave ??= () => {
      leaveOwn?.();
      forget();
    };
    // Which of the two it waits for changes with time.
    return hasBegun ? undefined : () => leave!();
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
