import { GatewayError } from '../../../core/errors.ts';
import type { IncomingMessage } from './messages.ts';

/** The number of asks that may wait at the same time. */
const MAX_ASKS = 64;

interface Ask {
  readonly matches: (message: IncomingMessage) => boolean;
  readonly settle: (answer: IncomingMessage | undefined) => void;
}

/** Asks that wait for their answers, the oldest first. */
export class Asks {
  readonly #waiting = new Set<Ask>();

  /** @throws GatewayError `OVERLOADED` when too many wait */
  requireRoom(): void {
    if (this.#waiting.size < MAX_ASKS) return;
    const message = `${MAX_ASKS} questions to the IDE backend wait for answers, which is the most. Try again later`;
    throw new GatewayError('OVERLOADED', message, { effect: 'none' });
  }

  /** Returns the answer that will come, and how to give it up. The answer is `undefined` when it was given up. */
  add(matches: Ask['matches']): { readonly answer: Promise<IncomingMessage | undefined>; readonly giveUp: () => void } {
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
