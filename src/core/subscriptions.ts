/** Which clients want to hear of changes of which resources. An upstream is told only of the first and of the last one. */
export class Subscriptions {
  readonly #sessionsByUri = new Map<string, Set<string>>();

  add(uri: string, sessionId: string): void {
    const sessions = this.#sessionsByUri.get(uri) ?? new Set();
    sessions.add(sessionId);
    this.#sessionsByUri.set(uri, sessions);
  }

  /** Returns whether nobody is left who wants this resource. */
  remove(uri: string, sessionId: string): boolean {
    const sessions = this.#sessionsByUri.get(uri);
    sessions?.delete(sessionId);
    if (sessions !== undefined && sessions.size > 0) return false;
    this.#sessionsByUri.delete(uri);
    return true;
  }

  /** Gives up all that a client wanted; returns the resources that nobody wants any more. */
  removeSession(sessionId: string): string[] {
    const left: string[] = [];
    for (const [uri, sessions] of this.#sessionsByUri) {
      if (sessions.has(sessionId) && this.remove(uri, sessionId)) left.push(uri);
    }
    return left;
  }

  uris(): string[] {
    return [...this.#sessionsByUri.keys()];
  }

  /** Clients of a resource, or of one that it is a part of (2025-11-25, Resources, "Subscriptions"). */
  sessionsOf(uri: string): Set<string> {
    const sessions = new Set(this.#sessionsByUri.get(uri));
    for (const [parent, wanting] of this.#sessionsByUri) {
      if (isPartOf(uri, parent)) for (const session of wanting) sessions.add(session);
    }
    return sessions;
  }
}

/** `file:///dir/a` is a part of `file:///dir`; `file:///directory` only begins like it. */
function isPartOf(uri: string, parent: string): boolean {
  if (!uri.startsWith(parent)) return false;
  return parent.endsWith('/') || uri.length === parent.length || '/?#'.includes(uri[parent.length]!);
}
