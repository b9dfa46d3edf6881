import type { ClientDirectory, EntryKind, Provider } from '../../../core/providers/provider.ts';
import type { Subscriptions } from '../../../core/providers/subscriptions.ts';
import { Budget } from '../../../core/timing/budget.ts';
import { lastMember, stringAt } from '../../../wire/lens.ts';
import { type NotificationMessage, paramsOf } from '../../../wire/message.ts';
import { changedBy } from '../../lists/list-methods.ts';
import type { CallTracker } from './call-tracker.ts';
import type { ElicitationIds } from './elicitation-ids.ts';
import type { SuspectCall } from './suspects.ts';

export interface NotificationRouterHost {
  readonly provider: Provider;
  readonly directory: ClientDirectory;
  readonly subscriptions: Subscriptions;
  readonly tracker: CallTracker<SuspectCall>;
  readonly elicitations: ElicitationIds;
  /** Returns the uri under which clients reach a resource. */
  publicUri(uri: string): string;
  onListChanged(kinds: readonly EntryKind[]): void;
  /** A notification was not passed on, because there were too many. */
  onLeftOut(): void;
}

/** The limit on log messages and the like: more are unreadable, and would keep a client busy. */
export const CLIENT_LIMITS = { burst: 1_000, perSecond: 200 };

/** Gives an upstream's notifications only to the clients that they concern: one client's log is not for another. */
export class NotificationRouter {
  readonly #host: NotificationRouterHost;
  readonly #budget = new Budget(CLIENT_LIMITS);

  constructor(host: NotificationRouterHost) {
    this.#host = host;
  }

  /** `of` is the id of our request on whose response stream it came, where it came on one. */
  route(message: NotificationMessage, of: number | undefined): void {
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
        if (!this.#budget.take()) this.#host.onLeftOut();
        else if (of !== undefined) this.#host.tracker.find(of)?.call.caller.onNotification(message);
        else this.#toTheOnlyOne(message);
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
    const completion = this.#host.elicitations.completion(message);
    if (completion !== undefined) this.#host.directory.get(completion.sessionId)?.onNotification(completion.message);
  }

  /**
   * Sends a notification to the client whose calls are open, if it can belong to no other; before the first call, to a
   * client that is alone.
   */
  #toTheOnlyOne(message: NotificationMessage): void {
    const { directory, provider, tracker } = this.#host;
    const verdict = tracker.ofNotice();
    if (verdict.kind === 'client') {
      const { caller } = verdict.calls.at(-1)!.call;
      // A notification on a call's stream is taken to belong to that call.
      const session = verdict.calls.length > 1 ? directory.get(caller.sessionId) : undefined;
      (session?.isListening === true ? session : caller).onNotification(message);
      return;
    }
    const sole = directory.sole(provider);
    if (sole !== undefined && verdict.kind !== 'unclear' && tracker.isOnlyOf(sole.sessionId))
      sole.onNotification(message);
  }
}
