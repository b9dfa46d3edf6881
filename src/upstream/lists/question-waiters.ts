import type { GatewayError } from '../../core/errors.ts';

interface QuestionWaiter {
  /** The number of the question whose end is waited for. */
  readonly question: number;
  settle(failure: GatewayError | undefined): void;
}

/** Holds those who wait until a list request is over. */
export class QuestionWaiters {
  #waiters: QuestionWaiter[] = [];

  /**
   * Waits for the end of a question, or of a later one.
   * @throws GatewayError with which it is settled
   */
  wait(question: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: GatewayError | undefined) => (failure === undefined ? resolve() : reject(failure));
      this.#waiters.push({ question, settle });
    });
  }

  /** Settles those who wait for a question before this one: `failure` tells how it failed, where it did. */
  settleBefore(question: number, failure: () => GatewayError | undefined): void {
    const isOver = (waiter: QuestionWaiter) => waiter.question < question;
    const over = this.#waiters.filter(isOver);
    if (over.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !isOver(waiter));
    for (const waiter of over) waiter.settle(failure());
  }
}
