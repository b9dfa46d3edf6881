/** Which clients want to hear of changes of which resources. An upstream is told only of the first and of the last one. */
export class Subscriptions {
  /** By the provider's own uri and by session: the uri that the client used. */
  readonly #byUri = new Map<string, Map<string, string>>();

  /** `spelling` is the uri by which the client knows the resource. */
  add(uri: string, sessionId: string, spelling: string): void {
    const sessions = this.#byUri.get(uri) ?? new Map<string, string>();
    sessions.set(sessionId, spelling);
    this.#byUri.set(uri, sessions);
  }

  /** Returns whether nobody is left who wants this resource. */
  remove(uri: string, sessionId: string): boolean {
    const sessions = this.#byUri.get(uri);
    sessions?.delete(sessionId);
    if (sessions !== undefined && sessions.size > 0) return false;
    this.#byUri.delete(uri);
    return true;
  }

  /** Gives up all that a client wanted; returns the resources that nobody wants any more. */
  removeSession(sessionId: string): string[] {
    const left: string[] = [];
    for (const [uri, sessions] of this.#byUri) {
      if (sessions.has(sessionId) && this.remove(uri, sessionId)) left.push(uri);
    }
    return left;
  }

  uris(): string[] {
    return [...this.#byUri.keys()];
  }

  /**
   * Clients of a resource, or of one that it is a part of (2025-11-25, Resources, "Subscriptions"), and the uri by which
   * each knows the resource; `publicUri` is the one for clients that use public uris.
   */
  spellingsOf(uri: string, publicUri: string): Map<string, string> {
    const spellings = new Map<string, string>();
    for (const [parent, sessions] of this.#byUri) {
      if (parent === uri || !isPartOf(uri, parent)) continue;
      for (const [session, spelling] of sessions) spellings.set(session, spelling === parent ? uri : publicUri);
    }
    for (const [session, spelling] of this.#byUri.get(uri) ?? []) spellings.set(session, spelling);
    return spellings;
  }
}

/** `file:///dir/a` is a part of `file:///dir`; `file:///directory` only begins like it. */
function isPartOf(uri: string, parent: string): boolean {
  if (!uri.startsWith(parent)) return false;
  return parent.endsWith('/') || uri.length === parent.length || '/?#'.includes(uri[parent.length]!);
}
