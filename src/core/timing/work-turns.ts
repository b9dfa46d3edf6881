import { LoopTurn } from './loop-turn.ts';

/** Spreads long work over turns of the event loop. */
export class WorkTurns {
  readonly #onWork: (ms: number) => void;
  readonly #turn: LoopTurn;
  #from = performance.now();

  /**
   * @param onWork gets the time of each piece of the work, in milliseconds
   * @param turn shared with other work of this kind that may be done at the same time
   */
  constructor(onWork: (ms: number) => void = () => undefined, turn = new LoopTurn()) {
    this.#onWork = onWork;
    this.#turn = turn;
  }

  /** True if other work should have a turn. */
  get isOver(): boolean {
    return this.#turn.isOver;
  }

  /** Begins the first piece of the work once there is time for it. */
  async begin(): Promise<void> {
    if (this.isOver) await this.#turn.next();
    this.#from = performance.now();
  }

  /** Ends a piece of the work. */
  end(): void {
    this.#onWork(performance.now() - this.#from);
  }

  /** Lets other work have a turn, and begins the next piece of this one. */
  async pass(): Promise<void> {
    this.end();
    await this.#turn.next();
    this.#from = performance.now();
  }
}
