/** More tasks would be growth without bound: the oldest is forgotten. */
const MAX_TASKS = 10_000;

/**
 * Who has begun which task of an upstream, by its own ids. Servers need not make ids that nobody can guess, and only we
 * know that several clients stand behind us. A task of which nothing is known, as one from before a restart, is its
 * server's affair.
 */
export class TaskOwners {
  readonly #byId = new Map<string, string>();

  /** A server may use an id again: the newest task has it. */
  onBegun(ownId: string, principal: string | undefined): void {
    this.#byId.delete(ownId);
    this.#byId.set(ownId, principal ?? '');
    if (this.#byId.size > MAX_TASKS) this.#byId.delete(this.#byId.keys().next().value!);
  }

  mayReach(ownId: string, principal: string | undefined): boolean {
    return (this.#byId.get(ownId) ?? principal ?? '') === (principal ?? '');
  }
}
