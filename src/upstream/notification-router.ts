import { Budget } from '../core/budget.ts';
import type { ClientDirectory, EntryKind, Provider } from '../core/provider.ts';
import type { Subscriptions } from '../core/subscriptions.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import { type NotificationMessage, paramsOf } from '../wire/message.ts';
import { changedBy } from './lists/list-methods.ts';
import type { OutgoingCall } from './outgoing-call.ts';

export interface NotificationRouterHost {
  readonly provider: Provider;
  readonly directory: ClientDirectory;
  readonly subscriptions: Subscriptions;
  openCalls(): Iterable<OutgoingCall>;
  sessionOfElicitation(elicitationId: string): string | undefined;
  /** The uri under which clients reach a resource. */
  publicUri(uri: string): string;
  onListChanged(kinds: readonly EntryKind[]): void;
  /** A notification was not passed on, because there were too many. */
  onLeftOut(): void;
}

/** Log messages and the like: nobody reads more, and a client that gets a flood does nothing else. */
export const CLIENT_LIMITS = { burst: 1_000, perSecond: 200 };

/** Gives an upstream's notifications to those they concern, and to nobody else: one client's log is not for another. */
export class NotificationRouter {
  readonly #host: NotificationRouterHost;
  readonly #budget = new Budget(CLIENT_LIMITS);

  constructor(host: NotificationRouterHost) {
    this.#host = host;
  }

  route(message: NotificationMessage): void {
    const changed = changedBy(message.method);
    if (changed !== undefined) {
      this.#host.onListChanged(changed);
      return;
    }
    switch (message.method) {
      case 'notifications/resources/updated':
        this.#resourceUpdated(message);
        break;
      case 'notifications/elicitation/complete':
        this.#elicitationComplete(message);
        break;
      default:
        this.#toTheOnlyOne(message);
    }
  }

  #resourceUpdated(message: NotificationMessage): void {
    const span = lastMember(paramsOf(message), 'uri');
    const uri = stringAt(message.frame.text, span);
    if (span === undefined || uri === undefined) return;
    const { directory, subscriptions } = this.#host;
    for (const [sessionId, spelling] of subscriptions.spellingsOf(uri, this.#host.publicUri(uri)))
      directory.get(sessionId)?.onResourceUpdated(spelling, message.frame, span);
  }

  #elicitationComplete(message: NotificationMessage): void {
    const id = stringAt(message.frame.text, lastMember(paramsOf(message), 'elicitationId'));
    const sessionId = id === undefined ? undefined : this.#host.sessionOfElicitation(id);
    if (sessionId !== undefined) this.#host.directory.get(sessionId)?.onNotification(message);
  }

  /** To the client whose call is open, if only one client has any; outside of calls to a client that is alone. */
  #toTheOnlyOne(message: NotificationMessage): void {
    if (!this.#budget.take()) {
      this.#host.onLeftOut();
      return;
    }
    let newest: OutgoingCall | undefined;
    for (const call of this.#host.openCalls()) {
      if (newest !== undefined && call.sessionId !== newest.sessionId) return;
      newest = call;
    }
    if (newest !== undefined) newest.call.caller.onNotification(message);
    else this.#host.directory.sole(this.#host.provider)?.onNotification(message);
  }
}
