import { setImmediate as nextTurn } from 'node:timers/promises';

/** The time for which work goes on before other work gets a turn, in milliseconds. */
const TURN_MS = 5;

/** Spreads long work over turns of the event loop. */
export class WorkTurns {
  readonly #onWork: (ms: number) => void;
  #from = performance.now();

  /** @param onWork gets the time of each piece of the work, in milliseconds */
  constructor(onWork: (ms: number) => void = () => undefined) {
    this.#onWork = onWork;
  }

  /** True if other work should have a turn. */
  get isOver(): boolean {
    return performance.now() - this.#from >= TURN_MS;
  }

  /** Begins the next piece of the work. */
  begin(): void {
    this.#from = performance.now();
  }

  /** Ends a piece of the work. */
  end(): void {
    this.#onWork(performance.now() - this.#from);
  }

  /** Lets other work have a turn, and begins the next piece of this one. */
  async pass(): Promise<void> {
    this.end();
    await nextTurn();
    this.begin();
  }
}
