/** A client's wish to hear about changes of one resource. */
export interface Intent {
  readonly uri: string;
  readonly sessionId: string;
  /** The uri by which the client knows the resource. */
  readonly spelling: string;
  /** The provider has agreed. */
  readonly isGood: boolean;
}

interface OpenIntent extends Intent {
  spelling: string;
  isGood: boolean;
  /** Requests of the client that are not answered yet. */
  pending: number;
}

/**
 * The clients that want to hear about changes of resources. A subscription counts from when it is sent, so that nothing
 * is taken from a client whose request is on its way.
 */
export class Subscriptions {
  /** By the provider's own uri and by session. */
  readonly #byUri = new Map<string, Map<string, OpenIntent>>();

  /** Notes a wish whose request is about to be sent; `succeed` or `fail` follows. */
  begin(uri: string, sessionId: string, spelling: string): Intent {
    const intent = this.#ensure(uri, sessionId, spelling);
    intent.pending++;
    return intent;
  }

  /** Called when the provider has agreed. No effect on a subscription that was given up meanwhile. */
  succeed(intent: Intent): void {
    const open = this.#open(intent);
    if (open === undefined) return;
    open.pending--;
    open.isGood = true;
  }

  /** Called when the request has failed: the subscription ends, unless it was granted before or another request is on its way. */
  fail(intent: Intent): void {
    const open = this.#open(intent);
    if (open === undefined) return;
    open.pending--;
    if (!open.isGood && open.pending === 0) this.remove(open.uri, open.sessionId);
  }

  /** Notes a wish that is granted at once. */
  add(uri: string, sessionId: string, spelling: string): void {
    this.#ensure(uri, sessionId, spelling).isGood = true;
  }

  /** Gives up a wish; returns whether no client wants this resource any more. */
  remove(uri: string, sessionId: string): boolean {
    const sessions = this.#byUri.get(uri);
    sessions?.delete(sessionId);
    if (sessions !== undefined && sessions.size > 0) return false;
    this.#byUri.delete(uri);
    return true;
  }

  /** Gives up all that a client wanted; returns the resources that no client wants any more. */
  removeSession(sessionId: string): string[] {
    const left: string[] = [];
    for (const [uri, sessions] of this.#byUri) {
      if (sessions.has(sessionId) && this.remove(uri, sessionId)) left.push(uri);
    }
    return left;
  }

  /** Returns whether a client wants to hear about this very resource. */
  wants(uri: string): boolean {
    return this.#byUri.has(uri);
  }

  /** Returns whether a client was told that it hears about this very resource. */
  isPromised(uri: string): boolean {
    return [...(this.#byUri.get(uri)?.values() ?? [])].some(({ isGood }) => isGood);
  }

  /** Returns the clients that want to hear about any resource. */
  sessions(): string[] {
    return [...new Set([...this.#byUri.values()].flatMap((sessions) => [...sessions.keys()]))];
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
      for (const [session, { spelling }] of sessions) spellings.set(session, spelling === parent ? uri : publicUri);
    }
    for (const [session, { spelling }] of this.#byUri.get(uri) ?? []) spellings.set(session, spelling);
    return spellings;
  }

  #ensure(uri: string, sessionId: string, spelling: string): OpenIntent {
    const sessions = this.#byUri.get(uri) ?? new Map<string, OpenIntent>();
    this.#byUri.set(uri, sessions);
    const intent = sessions.get(sessionId) ?? { uri, sessionId, spelling, isGood: false, pending: 0 };
    intent.spelling = spelling;
    sessions.set(sessionId, intent);
    return intent;
  }

  /** Returns the wish, unless it was given up. */
  #open(intent: Intent): OpenIntent | undefined {
    const open = this.#byUri.get(intent.uri)?.get(intent.sessionId);
    return open === intent ? open : undefined;
  }
}

/** `file:///dir/a` is a part of `file:///dir`; `file:///directory` only begins like it. */
function isPartOf(uri: string, parent: string): boolean {
  if (!uri.startsWith(parent)) return false;
  return parent.endsWith('/') || uri.length === parent.length || '/?#'.includes(uri[parent.length]!);
}
