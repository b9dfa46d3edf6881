import { availableParallelism } from 'node:os';

/** The reason why a process is started: a call waits for it, its offer is unknown, or it should only be ready. */
export type StartReason = 'wanted' | 'unknown' | 'known';

export interface StartTurnsOptions {
  /** Returns how many processes may be starting at one time; called each time, because the config may change. */
  readonly atOnce: () => number;
  /** Returns true if clients are waiting for responses of running processes. */
  readonly isBusy: () => boolean;
}

/** The turn of one process to start. */
export interface StartTurn {
  /** Resolves when the process may be started. */
  readonly granted: Promise<void>;
  /** Called when a call waits for it. */
  hurry(): void;
  /** Called when it has started, or will not be started any more. */
  end(): void;
}

/** A process that takes longer to start keeps no place from others. */
export const LONGEST_PLACE_MS = 3_000;
/**
 * The delay, in milliseconds, before a process starts that no call waits for: known offers are sent to the first clients
 * first.
 */
export const HEAD_START_MS = 500;
/** The share of the simultaneous starts that is allowed while clients wait for responses. */
const BUSY_PART = 0.5;

const ORDER: readonly StartReason[] = ['wanted', 'unknown', 'known'];

/** Returns how many processes start at one time where the config does not say: with more, all of them are later ready. */
export function usualStarts(): number {
  return 2 * availableParallelism();
}

/**
 * Lets a bounded number of processes start at one time. Those that a call waits for come first and have as many places
 * of their own; then those of which nothing is known; then the rest, which leave room for calls.
 */
export class StartTurns {
  readonly #options: StartTurnsOptions;
  readonly #waiting = new Set<Turn>();
  readonly #starting = new Set<Turn>();
  /** Time at which starts begin that no call waits for, on the clock of `performance.now()`. */
  #quietUntil: number | undefined;
  #isAlarmSet = false;

  constructor(options: StartTurnsOptions) {
    this.#options = options;
  }

  begin(reason: StartReason): StartTurn {
    this.#quietUntil ??= performance.now() + HEAD_START_MS;
    const turn = new Turn(reason, {
      onHurry: () => this.#grant(),
      onEnd: (ended) => {
        this.#waiting.delete(ended);
        this.#starting.delete(ended);
        this.#grant();
      },
    });
    this.#waiting.add(turn);
    this.#grant();
    return turn;
  }

  #grant(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next);
      this.#starting.add(next);
      next.start();
    }
  }

  #next(): Turn | undefined {
    for (const reason of ORDER) {
      const first = [...this.#waiting].find((turn) => turn.reason === reason);
      if (first !== undefined) return this.#hasPlaceFor(reason) ? first : undefined;
    }
    return undefined;
  }

  #hasPlaceFor(reason: StartReason): boolean {
    const atOnce = this.#options.atOnce();
    if (reason === 'wanted') return this.#starting.size < 2 * atOnce;
    if (reason === 'known' && !this.#mayBegin()) return false;
    const isBusy = reason === 'known' && this.#options.isBusy();
    return this.#starting.size < (isBusy ? Math.max(1, Math.floor(atOnce * BUSY_PART)) : atOnce);
  }

  #mayBegin(): boolean {
    const left = (this.#quietUntil ?? 0) - performance.now();
    if (left <= 0) return true;
    if (this.#isAlarmSet) return false;
    this.#isAlarmSet = true;
    setTimeout(() => {
      this.#quietUntil = 0;
      this.#grant();
    }, left).unref();
    return false;
  }
}

interface TurnOwner {
  onHurry(): void;
  onEnd(turn: Turn): void;
}

class Turn implements StartTurn {
  readonly granted: Promise<void>;
  reason: StartReason;
  readonly #owner: TurnOwner;
  #resolve!: () => void;
  #place: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(reason: StartReason, owner: TurnOwner) {
    this.reason = reason;
    this.#owner = owner;
    this.granted = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  start(): void {
    this.#place = setTimeout(() => this.end(), LONGEST_PLACE_MS).unref();
    this.#resolve();
  }

  hurry(): void {
    if (this.reason === 'wanted') return;
    this.reason = 'wanted';
    if (!this.#isOver) this.#owner.onHurry();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#place);
    // Those who still wait for the turn learn that the process will not start.
    this.#resolve();
    this.#owner.onEnd(this);
  }
}
