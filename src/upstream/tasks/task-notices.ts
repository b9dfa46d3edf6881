import type { ClientDirectory, Era, ProviderCall } from '../../core/providers/provider.ts';
import { Budget } from '../../core/timing/budget.ts';
import { taskIn, tellsTaskOver, withPublicIdsIn } from '../../era/task-ids.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import { attribute } from '../events/asks/attribution.ts';
import type { CallTracker } from '../events/asks/call-tracker.ts';
import { CLIENT_LIMITS } from '../events/asks/notification-router.ts';
import { type SuspectCall, suspectsOf } from '../events/asks/suspects.ts';
import { progressToken } from './late-progress.ts';
import type { TaskRecords } from './task-records.ts';
import type { TaskSessions } from './task-sessions.ts';

/** A call that may have begun a task. */
export interface NoticedCall extends SuspectCall {
  readonly call: ProviderCall;
}

export interface TaskNoticesHost {
  readonly upstream: string;
  readonly directory: ClientDirectory;
  readonly tracker: CallTracker<NoticedCall>;
  /** Streams of changes of modern clients that want to hear about a task. */
  readonly watched: TaskSessions;
  readonly records: TaskRecords;
  /** A notification was not passed on, because there were too many. */
  onLeftOut(): void;
}

/** Notifications that find their clients by other rules than by the task that they belong to. */
const OTHER_RULES: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
]);

/** Gives what an upstream reports its tasks to the clients that have to do with them. */
export class TaskNotices {
  readonly #host: TaskNoticesHost;
  readonly #budget = new Budget(CLIENT_LIMITS);

  constructor(host: TaskNoticesHost) {
    this.#host = host;
  }

  /**
   * Takes a notification of an upstream whose tasks are of this era.
   * @returns the notification with public ids, for others to pass on; `undefined` if it has found its clients here
   */
  take(message: NotificationMessage, era: Era): NotificationMessage | undefined {
    const ownId = taskIn(message);
    if (ownId === undefined) return message;
    if (tellsTaskOver(message)) this.#host.records.open.note(ownId, true);
    const told = withPublicIdsIn(this.#host.upstream, message);
    if (OTHER_RULES.has(message.method)) return told;
    if (!this.#budget.take()) this.#host.onLeftOut();
    else this.#tell(ownId, told, era);
    return undefined;
  }

  /** Takes progress of a call that is answered already. Returns whether a task of that call may go on. */
  takeLateProgress(id: number, message: NotificationMessage): boolean {
    const { records, upstream } = this.#host;
    const { progress } = records;
    if (!progress.isExpected(id)) return false;
    const told = withPublicIdsIn(upstream, message);
    if (!this.#budget.take()) this.#host.onLeftOut();
    else progress.pass(id, told, progressToken(told)!);
    return true;
  }

  #tell(ownId: string, message: NotificationMessage, era: Era): void {
    const { watched, records, directory } = this.#host;
    const sessions = (era === 'modern' ? watched : records.known).sessionsOf(ownId);
    for (const sessionId of sessions) directory.get(sessionId)?.onTaskChanged(message);
    if (sessions.size === 0 && era === 'legacy') this.#callThatBegins(ownId)?.call.caller.onNotification(message);
  }

  /** A task may be told of before the call is answered that has begun it: then no other can be meant than a call for one. */
  #callThatBegins(ownId: string): NoticedCall | undefined {
    const { open, left } = suspectsOf(this.#host.tracker, { task: { ownId, sessionId: undefined }, of: undefined });
    const verdict = attribute({ open, leftOwners: left.values() });
    return verdict.kind === 'client' ? verdict.calls[0] : undefined;
  }
}
