import { CallLane, type LaneWork, type Leave } from './call-lane.ts';

interface KeyedLane {
  readonly lane: CallLane;
  /** The number of pieces of work that wait or run in it. */
  uses: number;
}

/** Runs pieces of work with the same key one at a time, in order of arrival. A lane is kept only while it has work. */
export class KeyedLanes {
  readonly #lanes = new Map<string, KeyedLane>();

  /** The number of keys that have work. */
  get size(): number {
    return this.#lanes.size;
  }

  /**
   * Begins the work, now or when it is its turn among the work of this key.
   * @returns how work that waits can leave; `undefined` for work that has begun
   */
  run(key: string, work: LaneWork): Leave | undefined {
    const own = this.#use(key);
    let hasBegun = false;
    const begin = (done: () => void) => {
      hasBegun = true;
      work.begin(() => {
        done();
        this.#unuse(key, own);
      });
    };
    const leave = own.lane.run({ begin });
    if (leave === undefined) return undefined;
    return () => {
      if (hasBegun) return;
      leave();
      this.#unuse(key, own);
    };
  }

  #use(key: string): KeyedLane {
    const own = this.#lanes.get(key) ?? { lane: new CallLane(1), uses: 0 };
    own.uses++;
    this.#lanes.set(key, own);
    return own;
  }

  #unuse(key: string, own: KeyedLane): void {
    if (--own.uses === 0) this.#lanes.delete(key);
  }
}
