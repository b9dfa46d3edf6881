import type { ClientDirectory, EntryKind } from '../core/provider.ts';
import { Session, type SessionHost, type SessionOptions } from './session.ts';

/** All clients that are connected now. */
export class Sessions implements ClientDirectory {
  readonly #byId = new Map<string, Session>();

  /** Begins a session; `host` is what it shares with the others. */
  open(host: SessionHost, options: SessionOptions): Session {
    const session = new Session(host, options);
    this.#byId.set(session.id, session);
    return session;
  }

  onEnded(session: Session): void {
    this.#byId.delete(session.id);
  }

  get(sessionId: string): Session | undefined {
    return this.#byId.get(sessionId);
  }

  /** The client, when exactly one has finished its handshake. */
  sole(): Session | undefined {
    let found: Session | undefined;
    for (const session of this.#byId.values()) {
      if (!session.isReady) continue;
      if (found !== undefined) return undefined;
      found = session;
    }
    return found;
  }

  all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  onCatalogueChange(kinds: ReadonlySet<EntryKind>): void {
    for (const session of this.#byId.values()) session.onCatalogueChange(kinds);
  }
}
