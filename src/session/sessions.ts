import type { CatalogueView } from '../catalogue/catalogue-view.ts';
import type { Seen } from '../core/access/permissions.ts';
import type { ClientDirectory, ClientSession, EntryKind, Provider } from '../core/providers/provider.ts';
import type { PassedCapabilities } from '../era/extensions.ts';
import type { ChangeListener, ListenerRegister } from './change-listener.ts';
import type { ConnectedClient } from './connected-client.ts';
import { ModernClient, type ModernClientOptions } from './modern/modern-client.ts';
import { Session } from './session.ts';
import type { SessionHost, SessionOptions } from './session-host.ts';
import { warning } from './warning.ts';

/** All clients that are connected now. */
export class Sessions implements ClientDirectory, ListenerRegister {
  readonly #byId = new Map<string, Session>();
  readonly #modern = new Set<ModernClient>();
  readonly #listeners = new Map<string, ChangeListener>();
  readonly #onSessionEnded = ({ id }: Session): void => void this.#byId.delete(id);
  readonly #onModernEnded = (client: ModernClient): void => void this.#modern.delete(client);

  /** Begins a session; `host` is what it shares with the others. */
  open(host: SessionHost, options: SessionOptions): Session {
    const session = new Session(host, options, this.#onSessionEnded);
    this.#byId.set(session.id, session);
    return session;
  }

  /** Begins to serve requests of the modern era that come one way. */
  openModern(host: SessionHost, options: ModernClientOptions): ModernClient {
    const client = new ModernClient(host, options, this.#onModernEnded);
    this.#modern.add(client);
    return client;
  }

  addListener(listener: ChangeListener): void {
    this.#listeners.set(listener.sessionId, listener);
  }

  removeListener(listener: ChangeListener): void {
    this.#listeners.delete(listener.sessionId);
  }

  get(sessionId: string): ClientSession | undefined {
    return this.#byId.get(sessionId)?.mailbox ?? this.#listeners.get(sessionId);
  }

  /** Returns the only client that has finished its handshake and may see this provider; `undefined` if there are several. */
  sole(provider: Seen): ClientSession | undefined {
    let found: Session | undefined;
    for (const session of this.#byId.values()) {
      if (!session.isReady || !session.host.catalogue.scope.allowsProvider(provider)) continue;
      if (found !== undefined) return undefined;
      found = session;
    }
    return found?.mailbox;
  }

  /** Returns what the clients that have introduced themselves declare besides what they can be asked. */
  passed(): readonly PassedCapabilities[] {
    return this.all().flatMap(({ introduction }) => (introduction.isIntroduced ? [introduction.passed] : []));
  }

  all(): readonly ConnectedClient[] {
    return [...this.#byId.values(), ...this.#modern];
  }

  /** Returns the clients that status shows: those without a session only while they want something. */
  shown(): readonly ConnectedClient[] {
    return [...this.#byId.values(), ...[...this.#modern].filter((client) => client.isActive || client.isOneProgram)];
  }

  /** Sends a log message of the gateway to every client that takes such messages outside of calls. */
  warn(text: string): void {
    const message = warning(text);
    for (const { mailbox } of this.#byId.values()) mailbox.onNotification(message);
  }

  /** Ends the streams of changes as the specification wants it: the gateway stops. */
  endListeners(): void {
    for (const client of this.#modern) client.endListeners();
  }

  /** Tells the clients that providers were replaced, or are there for the first time. */
  onProvidersChanged(): void {
    for (const client of [...this.#byId.values(), ...this.#listeners.values()]) client.onProvidersChanged();
  }

  /** Tells the clients of a view that its lists have changed. */
  onCatalogueChange(view: CatalogueView, kinds: ReadonlySet<EntryKind>): void {
    for (const session of this.#byId.values()) if (session.host.catalogue === view) session.onCatalogueChange(kinds);
    for (const listener of this.#listeners.values()) if (listener.catalogue === view) listener.onCatalogueChange(kinds);
  }

  /** Has providers that a view does not show any more give up what they hold for its clients. */
  onHidden(view: CatalogueView, providers: readonly Provider[]): void {
    const listeners = [...this.#listeners.values()].filter(({ catalogue }) => catalogue === view);
    const ids = [...this.clientsOf(view).map(({ id }) => id), ...listeners.map(({ sessionId }) => sessionId)];
    for (const provider of providers) for (const id of ids) provider.onSessionEnded?.(id);
  }

  clientsOf(view: CatalogueView): readonly ConnectedClient[] {
    return this.all().filter(({ host }) => host.catalogue === view);
  }
}
