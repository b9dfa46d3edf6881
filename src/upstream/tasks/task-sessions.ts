/** The number of tasks that are remembered; the oldest is forgotten first. */
const MAX_TASKS = 10_000;

/** Remembers which clients take an interest in which tasks of an upstream, by its own ids. */
export class TaskSessions {
  readonly #sessionsById = new Map<string, Set<string>>();
  /** Remembers which session began a task. */
  readonly #ownerById = new Map<string, string>();

  /** A server may use an id again: the newest task has it. */
  begin(ownId: string, sessionId: string): void {
    this.#ownerById.delete(ownId);
    this.#ownerById.set(ownId, sessionId);
    if (this.#ownerById.size > MAX_TASKS) this.#ownerById.delete(this.#ownerById.keys().next().value!);
    this.add(ownId, sessionId);
  }

  /**
   * Returns the client to which the work on a task belongs: who has begun it, also when that one has gone; of a task from before,
   * the only one that takes an interest in it.
   */
  ownerOf(ownId: string): string | undefined {
    const sessions = this.sessionsOf(ownId);
    return this.#ownerById.get(ownId) ?? (sessions.size === 1 ? [...sessions][0] : undefined);
  }

  add(ownId: string, sessionId: string): void {
    const sessions = this.#sessionsById.get(ownId) ?? new Set();
    sessions.add(sessionId);
    this.#sessionsById.set(ownId, sessions);
    if (this.#sessionsById.size > MAX_TASKS) this.#sessionsById.delete(this.#sessionsById.keys().next().value!);
  }

  /** Returns whether it took an interest in anything. */
  removeSession(sessionId: string): boolean {
    let isChanged = false;
    for (const [ownId, sessions] of this.#sessionsById) {
      isChanged = sessions.delete(sessionId) || isChanged;
      if (sessions.size === 0) this.#sessionsById.delete(ownId);
    }
    return isChanged;
  }

  ids(): string[] {
    return [...this.#sessionsById.keys()];
  }

  has(ownId: string, sessionId: string): boolean {
    return this.#sessionsById.get(ownId)?.has(sessionId) === true;
  }

  /** Returns whether a client takes an interest in any. */
  hasAny(sessionId: string): boolean {
    for (const sessions of this.#sessionsById.values()) if (sessions.has(sessionId)) return true;
    return false;
  }

  sessionsOf(ownId: string): ReadonlySet<string> {
    return this.#sessionsById.get(ownId) ?? NOBODY;
  }
}

const NOBODY: ReadonlySet<string> = new Set();
