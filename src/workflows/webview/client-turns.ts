import { Turns } from '../../core/timing/turns.ts';

/** Lets the calls of each client act one after the other; calls of different clients do not wait for each other. */
export class ClientTurns {
  readonly #turns = new Map<string, Turns>();

  /** Resolves when it is the caller's turn, with a function that ends the turn. */
  async next(clientId: string): Promise<() => void> {
    const turns = this.#turns.get(clientId) ?? new Turns();
    this.#turns.set(clientId, turns);
    const end = await turns.next();
    return () => {
      end();
      if (turns.isIdle) this.#turns.delete(clientId);
    };
  }
}
