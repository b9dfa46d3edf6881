import { GatewayError } from '../../core/errors.ts';
import {
  type ClientDirectory,
  type Era,
  NOTHING_TO_CANCEL,
  type ProviderCall,
  type ProviderTasks,
  type RunningCall,
  type TaskWatcher,
} from '../../core/providers/provider.ts';
import { taskIn, withOwnIds, withPublicIdsIn } from '../../era/task-ids.ts';
import { declaresTasks, isAboutTask, wantsTask } from '../../era/tasks.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import type { CallTracker } from '../events/asks/call-tracker.ts';
import type { TaskAsk } from '../events/asks/task-ask.ts';
import { LateProgress } from './late-progress.ts';
import { OpenTasks } from './open-tasks.ts';
import { type SentTaskCall, TaskCall } from './task-call.ts';
import { listedTasks } from './task-list.ts';
import { type NoticedCall, TaskNotices } from './task-notices.ts';
import { TaskOwners } from './task-owners.ts';
import type { TaskRecords } from './task-records.ts';
import { TaskServer } from './task-server.ts';
import { TaskSessions } from './task-sessions.ts';

export interface UpstreamTasksHost {
  readonly upstream: string;
  readonly directory: ClientDirectory;
  readonly log: Log;
  /** The time that a page of the list of tasks may take. */
  readonly listMs: number;
  readonly tracker: CallTracker<NoticedCall>;
  /** Sends a call on its way to the upstream. */
  send(call: ProviderCall): SentTaskCall;
  /**
   * Called when other tasks are watched. Resolves, with whether the upstream reports them, when nothing can be missed
   * any more.
   */
  onWatchedChanged(): Promise<boolean>;
  /** A notification was not passed on, because there were too many. */
  onLeftOut(): void;
}

/**
 * An upstream's tasks, in the manner of its era. Its ids are its own: each mention of a task gets the public id on the way
 * to clients. Clients of the other era have no tasks here.
 */
export class UpstreamTasks implements ProviderTasks {
  readonly #host: UpstreamTasksHost;
  readonly #server = new TaskServer();
  /** Streams of changes of modern clients. */
  readonly #watched = new TaskSessions();
  readonly #records: TaskRecords;
  readonly notices: TaskNotices;

  constructor(host: UpstreamTasksHost) {
    this.#host = host;
    const progress = new LateProgress(host.directory);
    this.#records = { owners: new TaskOwners(), known: new TaskSessions(), progress, open: new OpenTasks() };
    this.notices = new TaskNotices({
      upstream: host.upstream,
      directory: host.directory,
      tracker: host.tracker,
      records: this.#records,
      watched: this.#watched,
      onLeftOut: () => host.onLeftOut(),
    });
  }

  attach(link: Link, facts: ServerFacts): void {
    this.#server.attach(link, facts);
  }

  detach(): void {
    this.#server.detach();
    this.#records.progress.clear();
    this.#records.open.clear();
  }

  /** The era of its tasks; `undefined` if it has none, and while there is no connection. */
  get offered(): Era | undefined {
    return this.#server.link === undefined ? undefined : this.#server.era;
  }

  /** Tells whether a client has begun a task, or may be told that it can begin one (modern clients). */
  get isUsed(): boolean {
    return this.#records.owners.size > 0 || this.offered === 'modern';
  }

  /** Says which tasks still run, and asks the server after them: it need not tell when one ends. */
  work(): readonly string[] {
    const { upstream, listMs } = this.#host;
    this.#records.open.ask((ownId) => this.#server.isOver(ownId, listMs));
    const { size } = this.#records.open;
    if (size === 0) return [];
    return [size === 1 ? `a task of ${upstream}` : `${size} tasks of ${upstream}`];
  }

  /** Returns the tasks of which streams of changes want to hear. */
  watchedIds(): readonly string[] {
    return this.#watched.ids();
  }

  async watch(ownId: string, { sessionId, principal }: TaskWatcher): Promise<boolean> {
    if (this.#server.era !== 'modern' || !this.#records.owners.mayReach(ownId, principal)) return false;
    this.#watched.add(ownId, sessionId);
    return this.#host.onWatchedChanged();
  }

  onSessionEnded(sessionId: string): void {
    this.#records.known.removeSession(sessionId);
    this.#records.progress.onSessionEnded(sessionId);
    if (this.#watched.removeSession(sessionId)) void this.#host.onWatchedChanged();
  }

  /** Sends a call on; where a task may come of it, or it is about one, its client hears about that under public ids. */
  call(call: ProviderCall): RunningCall {
    if (!mayNameTask(call)) return this.#host.send(call);
    const { caller } = call;
    if (
      isAboutTask(call.text.message.method) &&
      !this.#records.owners.mayReach(call.ownName, caller.client.principal)
    ) {
      caller.onFailure(new GatewayError('UNKNOWN_TASK', 'Task not found'));
      return NOTHING_TO_CANCEL;
    }
    const { upstream } = this.#host;
    return new TaskCall(call, { upstream, records: this.#records }).run((sent) => this.#host.send(sent));
  }

  /** Returns the answer to what an upstream is not asked, because it has no such tasks; `undefined` for what it is asked. */
  ownAnswer({ text, caller }: ProviderCall): Promise<Reply> | undefined {
    const { method } = text.message;
    if (!isAboutTask(method)) return undefined;
    const { era } = this.#server;
    if (era !== caller.client.era) return refusal(-32602, 'Task not found');
    const isKnown = method !== 'tasks/cancel' || era === 'modern' || this.#server.canDo('cancel');
    if (isKnown) return undefined;
    return refusal(-32601, `${this.#host.upstream}: it cannot cancel tasks`);
  }

  /** Returns the tasks that a client has begun or asked for, each as JSON with its public id. */
  async list(sessionId: string): Promise<readonly ByteString[]> {
    const { link, era } = this.#server;
    if (link === undefined || era !== 'legacy' || !this.#server.canDo('list')) return [];
    if (!this.#records.known.hasAny(sessionId)) return [];
    const { upstream: key, listMs, log } = this.#host;
    const isWanted = (ownId: string) => this.#records.known.has(ownId, sessionId);
    return listedTasks({ key, listMs, log, isWanted, link });
  }

  /**
   * Takes a notification of the upstream.
   * @returns the notification, for others to pass on; `undefined` if it has found its clients here
   */
  take(message: NotificationMessage): NotificationMessage | undefined {
    const { era } = this.#server;
    return era === undefined ? message : this.notices.take(message, era);
  }

  /** Returns what a legacy upstream asks because of a task; `undefined` if it names none. */
  askOf(message: RequestMessage): TaskAsk | undefined {
    const ownId = this.#server.era === 'legacy' ? taskIn(message) : undefined;
    if (ownId === undefined) return undefined;
    const key = this.#host.upstream;
    const sessionId = this.#records.known.ownerOf(ownId);
    return { ownId, message: withPublicIdsIn(key, message), sessionId, toOwn: (answer) => withOwnIds(key, answer) };
  }
}

function refusal(code: number, message: string): Promise<Reply> {
  return Promise.resolve(errorReply({ code, message }));
}

function mayNameTask({ text, caller: { client } }: ProviderCall): boolean {
  const { method } = text.message;
  if (method !== 'tools/call') return isAboutTask(method);
  return client.era === 'modern' ? declaresTasks(client.capabilities) : wantsTask(text);
}
