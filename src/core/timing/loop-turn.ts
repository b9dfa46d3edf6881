import { setImmediate as atTurnEnd } from 'node:timers';

/** The time that the work may take in one turn of the event loop, in milliseconds. */
const TURN_MS = 5;

/**
 * Counts long work in each turn of the event loop. Pieces of work that share one are counted together: a hundred of them that
 * begin at once do not have a slice each before anything else is done.
 */
export class LoopTurn {
  readonly #now: () => number;
  /** The time at which the work began in the present turn. */
  #begunAt: number | undefined;
  /** Those who go on in later turns, one in each. */
  readonly #waiting: (() => void)[] = [];
  #isEndAwaited = false;

  /** @param now returns the time in milliseconds */
  constructor(now: () => number = performance.now.bind(performance)) {
    this.#now = now;
  }

  /** True if the work has had its share of the present turn. The share begins with the first question. */
  get isOver(): boolean {
    if (this.#begunAt === undefined) this.#begin();
    return this.#now() - this.#begunAt! >= TURN_MS;
  }

  /** Resolves in a later turn, when those have gone on who have waited longer. */
  next(): Promise<void> {
    this.#awaitEnd();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    this.#begunAt = this.#now();
    this.#awaitEnd();
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    atTurnEnd(() => this.#onTurnEnd());
  }

  #onTurnEnd(): void {
    this.#isEndAwaited = false;
    this.#begunAt = undefined;
    const goOn = this.#waiting.shift();
    if (goOn === undefined) return;
    this.#begin();
    goOn();
  }
}
