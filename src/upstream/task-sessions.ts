/** More tasks would be growth without bound: the oldest is forgotten. */
const MAX_TASKS = 10_000;

/** Which clients take an interest in which tasks of an upstream, by its own ids. */
export class TaskSessions {
  readonly #sessionsById = new Map<string, Set<string>>();

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

  /** Whether a client takes an interest in any. */
  hasAny(sessionId: string): boolean {
    for (const sessions of this.#sessionsById.values()) if (sessions.has(sessionId)) return true;
    return false;
  }

  sessionsOf(ownId: string): ReadonlySet<string> {
    return this.#sessionsById.get(ownId) ?? NOBODY;
  }
}

const NOBODY: ReadonlySet<string> = new Set();
