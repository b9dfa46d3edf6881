import { GatewayError } from '../../../core/errors.ts';
import type { Clock } from '../../../services/clock.ts';
import type { IncomingMessage } from './messages.ts';

/** The number of asks that may wait at the same time. */
const MAX_ASKS = 64;

interface Ask {
  readonly matches: (message: IncomingMessage) => boolean;
  readonly settle: (answer: IncomingMessage | undefined) => void;
}

/** An ask that was added. */
interface WaitingAsk {
  /** Resolves to `undefined` when it was given up. */
  readonly answer: Promise<IncomingMessage | undefined>;
  readonly giveUp: () => void;
}

/** Asks that wait for their answers, the oldest first. */
export class Asks {
  readonly #clock: Clock;
  readonly #answerMs: number;
  readonly #waiting = new Set<Ask>();

  /** @param answerMs the longest time that an ask waits for its answer, in milliseconds */
  constructor(clock: Clock, answerMs: number) {
    this.#clock = clock;
    this.#answerMs = answerMs;
  }

  /** @throws GatewayError `OVERLOADED` when too many wait */
  requireRoom(): void {
    if (this.#waiting.size < MAX_ASKS) return;
    const message = `${MAX_ASKS} questions to the IDE backend wait for answers, which is the most. Try again later`;
    throw new GatewayError('OVERLOADED', message, { effect: 'none' });
  }

  /** Begins to wait for the first message that `matches`. */
  add(matches: Ask['matches']): WaitingAsk {
    let settle!: Ask['settle'];
    const answer = new Promise<IncomingMessage | undefined>((resolve) => {
      settle = resolve;
    });
    const ask: Ask = {
      matches,
      settle: (message) => {
        this.#waiting.delete(ask);
        settle(message);
      },
    };
    this.#waiting.add(ask);
    return { answer, giveUp: () => ask.settle(undefined) };
  }

  /**
   * Waits until the answer has come, the time is over, or the caller has gone.
   * @returns `undefined` if there is no answer
   * @throws the reason of `signal` when that is aborted
   */
  async wait({ answer, giveUp }: WaitingAsk, signal: AbortSignal): Promise<IncomingMessage | undefined> {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    this.#clock.wait(this.#answerMs, either).then(giveUp, giveUp);
    try {
      const found = await answer;
      signal.throwIfAborted();
      return found;
    } finally {
      done.abort();
    }
  }

  /** Gives a message to the oldest ask that it answers; there may be none. */
  offer(message: IncomingMessage): void {
    for (const ask of this.#waiting) {
      if (!ask.matches(message)) continue;
      ask.settle(message);
      return;
    }
  }

  giveUpAll(): void {
    for (const ask of this.#waiting) ask.settle(undefined);
  }
}
