import type { ProviderCall } from '../../core/providers/provider.ts';
import { lastMember, membersOf, rawText, typeOfByte } from '../../wire/lens.ts';
import { CallLane, type LaneWork, type Leave } from './call-lane.ts';
import { KeyedLanes } from './keyed-lanes.ts';

/**
 * Decides when a call may run: within the upstream's concurrency, and one at a time among calls whose arguments name
 * the same thing (Xcode's tools disturb each other when they work on one tab).
 */
export class CallOrder {
  readonly #all: CallLane;
  readonly #oneAtATimeBy: readonly string[];
  readonly #alone = new KeyedLanes();

  /**
   * @param maxConcurrency the number of calls that may run at a time
   * @param oneAtATimeBy names of arguments: of calls with the same value, one runs at a time
   */
  constructor(maxConcurrency: number, oneAtATimeBy: readonly string[]) {
    this.#all = new CallLane(maxConcurrency);
    this.#oneAtATimeBy = oneAtATimeBy;
  }

  /** Sets another concurrency. Calls that have begun beyond it go on. */
  setMaxConcurrency(maxConcurrency: number): void {
    this.#all.setLimit(maxConcurrency);
  }

  /** The number of things that calls work on, or wait for, one at a time. */
  get keys(): number {
    return this.#alone.size;
  }

  /**
   * Begins the call, now or in its turn.
   * @returns how a call that waits can leave; `undefined` for a call that has begun
   */
  run(call: ProviderCall, work: LaneWork): Leave | undefined {
    const key = this.#oneAtATimeBy.length === 0 ? undefined : this.#keyOf(call);
    return key === undefined ? this.#all.run(work) : this.#runAlone(key, work);
  }

  /** Waits for its turn among calls of the same key, then for room among all. */
  #runAlone(key: string, work: LaneWork): Leave | undefined {
    let hasBegun = false;
    // The way to leave changes when the call's turn among the calls of its key comes.
    let leave: Leave | undefined;
    const begin = (endTurn: () => void) => (done: () => void) => {
      hasBegun = true;
      work.begin(() => {
        done();
        endTurn();
      });
    };
    const enterAll = (endTurn: () => void) => {
      const leaveAll = this.#all.run({ begin: begin(endTurn) });
      leave = () => {
        leaveAll?.();
        endTurn();
      };
    };
    const leaveKey = this.#alone.run(key, { begin: enterAll });
    if (hasBegun) return undefined;
    leave ??= leaveKey;
    return () => {
      if (!hasBegun) leave?.();
    };
  }

  /** Returns the raw value of the first argument that names what the call works on. */
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
