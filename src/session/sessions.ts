import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { Seen } from '../core/access/permissions.ts';
import type { ClientDirectory, ClientSession, EntryKind, SessionObserver } from '../core/providers/provider.ts';
import type { PassedCapabilities } from '../era/extensions.ts';
import type { Listener } from './modern/listener.ts';
import { ModernClient, type ModernClientOptions } from './modern/modern-client.ts';
import { Session } from './session.ts';
import type { SessionHost, SessionOptions } from './session-host.ts';

/** All clients that are connected now. */
export class Sessions implements ClientDirectory {
  readonly #byId = new Map<string, Session>();
  readonly #modern = new Set<ModernClient>();
  readonly #listeners = new Map<string, Listener>();

  /** Begins a session; `host` is what it shares with the others. */
  open(host: SessionHost, options: SessionOptions): Session {
    const session = new Session(host, options);
    this.#byId.set(session.id, session);
    return session;
  }

  /** Begins to serve requests of the modern era that come one way. */
  openModern(host: SessionHost, options: ModernClientOptions): ModernClient {
    const client = new ModernClient(host, options);
    this.#modern.add(client);
    return client;
  }

  onModernEnded(client: ModernClient): void {
    this.#modern.delete(client);
  }

  addListener(listener: Listener): void {
    this.#listeners.set(listener.sessionId, listener);
  }

  removeListener(listener: Listener): void {
    this.#listeners.delete(listener.sessionId);
  }

  onEnded(session: Session): void {
    this.#byId.delete(session.id);
  }

  get(sessionId: string): ClientSession | undefined {
    return this.#byId.get(sessionId) ?? this.#listeners.get(sessionId);
  }

  /** The client, when exactly one has finished its handshake of those that may see this provider. */
  sole(provider: Seen): Session | undefined {
    let found: Session | undefined;
    for (const session of this.#byId.values()) {
      if (!session.isReady || !session.host.catalogue.scope.allowsProvider(provider)) continue;
      if (found !== undefined) return undefined;
      found = session;
    }
    return found;
  }

  /** Returns what the clients that have introduced themselves declare besides what they can be asked. */
  passed(): readonly PassedCapabilities[] {
    return this.all().flatMap((client) => (client.isIntroduced ? [client.passed] : []));
  }

  all(): readonly (Session | ModernClient)[] {
    return [...this.#byId.values(), ...this.#modern];
  }

  /** Those that status shows: clients without a session only while they want something. */
  shown(): readonly (Session | ModernClient)[] {
    return this.all().filter((client) => client instanceof Session || client.isActive || client.isOneProgram);
  }

  /** The gateway stops: streams of changes end as the specification wants it. */
  endListeners(): void {
    for (const client of this.#modern) client.endListeners();
  }

  /** Providers were replaced, or are there for the first time. */
  onProvidersChanged(): void {
    for (const client of [...this.#byId.values(), ...this.#listeners.values()]) client.onProvidersChanged();
  }

  /** What a view shows has changed. */
  onCatalogueChange(view: CatalogueView, kinds: ReadonlySet<EntryKind>): void {
    for (const session of this.#byId.values()) if (session.host.catalogue === view) session.onCatalogueChange(kinds);
    for (const listener of this.#listeners.values())
      if (listener.host.catalogue === view) listener.onCatalogueChange(kinds);
  }

  /** A view does not show these providers any more: what they hold for its clients is given up. */
  onHidden(view: CatalogueView, providers: readonly SessionObserver[]): void {
    const ids = [
      ...this.clientsOf(view).map(({ id }) => id),
      ...[...this.#listeners.values()].filter(({ host }) => host.catalogue === view).map(({ sessionId }) => sessionId),
    ];
    for (const provider of providers) for (const id of ids) provider.onSessionEnded?.(id);
  }

  clientsOf(view: CatalogueView): readonly (Session | ModernClient)[] {
    return this.all().filter(({ host }) => host.catalogue === view);
  }
}
