import type { Scope } from '../core/access/permissions.ts';
import type { Caller, ClientDirectory } from '../core/providers/provider.ts';
import { Subscriptions } from '../core/providers/subscriptions.ts';
import { jsonBytes, toBuffer } from '../wire/bytes.ts';
import { Frame } from '../wire/frame.ts';
import { lastMember, membersOf } from '../wire/lens.ts';

/** The clients that want to hear about resources of a workflow. */
export class ResourceSubscribers {
  readonly #directory: Pick<ClientDirectory, 'get'>;
  readonly #isWithin: (uri: string, scope: Scope) => boolean;
  readonly #subscriptions = new Subscriptions();
  /** The scopes of clients that have subscribed to something; the config may change what they allow. */
  readonly #scopes = new Map<string, Scope | undefined>();

  /** @param isWithin tells whether a scope allows a resource. */
  constructor(directory: Pick<ClientDirectory, 'get'>, isWithin: (uri: string, scope: Scope) => boolean) {
    this.#directory = directory;
    this.#isWithin = isWithin;
  }

  /** Adds a client; `spelling` is the uri by which it knows the resource. */
  add(uri: string, { sessionId, client }: Caller, spelling: string): void {
    this.#scopes.set(sessionId, client.scope);
    this.#subscriptions.add(uri, sessionId, spelling);
  }

  /** Forgets that a client wants to hear about a resource. */
  remove(uri: string, sessionId: string): void {
    this.#subscriptions.remove(uri, sessionId);
  }

  /** Forgets a client that has gone. */
  forget(sessionId: string): void {
    this.#subscriptions.removeSession(sessionId);
    this.#scopes.delete(sessionId);
  }

  /** Tells those who may see a resource, and have subscribed to it, that it has changed. */
  tell(uri: string): void {
    const sessions = this.#subscriptions.spellingsOf(uri, uri);
    if (sessions.size === 0) return;
    const json = jsonBytes({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    const frame = Frame.of(toBuffer(json));
    const span = lastMember(membersOf(frame.text, lastMember(frame.outline.members, 'params')), 'uri')!;
    for (const [sessionId, spelling] of sessions) {
      const scope = this.#scopes.get(sessionId);
      if (scope !== undefined && !this.#isWithin(uri, scope)) continue;
      this.#directory.get(sessionId)?.onResourceUpdated(spelling, frame, span);
    }
  }
}
