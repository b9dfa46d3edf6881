import { Turns } from './turns.ts';

/** Lets work of one key run one after the other, in the order in which it came. */
export class TurnsByKey {
  readonly #turns = new Map<string, Turns>();

  /** Runs the work when its turn comes. Resolves or rejects with the work's result. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(key) ?? new Turns();
    this.#turns.set(key, turns);
    const endTurn = await turns.next();
    try {
      return await work();
    } finally {
      endTurn();
      if (turns.isIdle) this.#turns.delete(key);
    }
  }
}
