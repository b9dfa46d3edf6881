/** The number of tasks that are remembered. If there are more, the oldest task of the client with the most tasks is forgotten. */
const MAX_TASKS = 10_000;

/**
 * Remembers who has begun which task of an upstream, by its own ids. Servers need not make unguessable ids, and only we
 * know that several clients are behind us. A task of which nothing is known, as one from before a restart, is its
 * server's affair: so a client that begins very many tasks cannot make the gateway forget the owners of the others.
 */
export class TaskOwners {
  readonly #byId = new Map<string, string>();
  /** The tasks of each owner, the oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();

  /** The number of tasks that are remembered. */
  get size(): number {
    return this.#byId.size;
  }

  /** A server may use an id again: the newest task has it. */
  onBegun(ownId: string, principal: string | undefined): void {
    const owner = principal ?? '';
    this.#forget(ownId);
    this.#byId.set(ownId, owner);
    const own = this.#byOwner.get(owner);
    if (own === undefined) this.#byOwner.set(owner, new Set([ownId]));
    else own.add(ownId);
    if (this.#byId.size > MAX_TASKS) this.#forget(this.#oldestOfMost());
  }

  mayReach(ownId: string, principal: string | undefined): boolean {
    return (this.#byId.get(ownId) ?? principal ?? '') === (principal ?? '');
  }

  #oldestOfMost(): string {
    let most: ReadonlySet<string> = new Set();
    for (const tasks of this.#byOwner.values()) if (tasks.size > most.size) most = tasks;
    return most.values().next().value!;
  }

  #forget(ownId: string): void {
    const owner = this.#byId.get(ownId);
    if (owner === undefined) return;
    this.#byId.delete(ownId);
    const own = this.#byOwner.get(owner)!;
    own.delete(ownId);
    if (own.size === 0) this.#byOwner.delete(owner);
  }
}
