import { GatewayError } from '../../core/errors.ts';
import { callerWith } from '../../core/providers/caller.ts';
import {
  type Caller,
  type ClientDirectory,
  type Era,
  NOTHING_TO_CANCEL,
  type ProviderCall,
  type ProviderTasks,
  type RunningCall,
  type TaskWatcher,
} from '../../core/providers/provider.ts';
import { Budget } from '../../core/timing/budget.ts';
import { taskIn, withOwnIds, withPublicIds, withPublicIdsIn } from '../../era/task-ids.ts';
import { canDo, declaresTasks, hasTasks, isAboutTask, wantsTask } from '../../era/tasks.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import { lastMember } from '../../wire/lens.ts';
import { type NotificationMessage, paramsOf, type RequestMessage, readMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { OutgoingCall } from '../calls/outgoing-call.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import { attribute } from '../events/asks/attribution.ts';
import type { CallTracker } from '../events/asks/call-tracker.ts';
import { CLIENT_LIMITS } from '../events/asks/notification-router.ts';
import { suspectsOf } from '../events/asks/suspects.ts';
import { LateProgress } from './late-progress.ts';
import { listedTasks } from './task-list.ts';
import { TaskOwners } from './task-owners.ts';
import { TaskSessions } from './task-sessions.ts';

export interface UpstreamTasksHost {
  readonly upstream: string;
  readonly directory: ClientDirectory;
  readonly log: Log;
  /** How long a page of the list of tasks may take. */
  readonly listMs: number;
  readonly tracker: CallTracker<OutgoingCall>;
  /** Other tasks are watched. Resolves, to whether the upstream tells of them, when nothing is missed any more. */
  onWatchedChanged(): Promise<boolean>;
  /** A notification was not passed on, because there were too many. */
  onLeftOut(): void;
}

/** What an upstream asks because of a task. */
export interface TaskAsk {
  readonly ownId: string;
  /** The request as the client gets it. */
  readonly message: RequestMessage;
  /** The client whose task it is, where one is known. */
  readonly sessionId: string | undefined;
  /** The client's answer as the upstream gets it. */
  toOwn(answer: Reply): Reply;
}

/** These find their clients by other rules than by the task that they belong to. */
const OTHER_RULES: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
]);

/**
 * An upstream's tasks, in the manner of its era. Its ids are its own: whatever names a task gets the public id on the way
 * to clients. Clients of the other era have no tasks here.
 */
export class UpstreamTasks implements ProviderTasks {
  readonly #host: UpstreamTasksHost;
  /** Legacy clients that have begun a task, or asked for it. */
  readonly #known = new TaskSessions();
  /** Streams of changes of modern clients. */
  readonly #watched = new TaskSessions();
  readonly #owners = new TaskOwners();
  readonly #progress: LateProgress;
  readonly #budget = new Budget(CLIENT_LIMITS);
  #facts: ServerFacts | undefined;
  #link: Link | undefined;

  constructor(host: UpstreamTasksHost) {
    this.#host = host;
    this.#progress = new LateProgress(host.directory);
  }

  attach(link: Link, facts: ServerFacts): void {
    this.#link = link;
    this.#facts = facts;
  }

  detach(): void {
    this.#link = undefined;
    this.#progress.clear();
  }

  get offered(): Era | undefined {
    return this.#link === undefined ? undefined : this.#era;
  }

  /** The same; while there is no connection, of the tasks that it ran. */
  get #era(): Era | undefined {
    const facts = this.#facts;
    return facts !== undefined && hasTasks(facts.era, facts.capabilities) ? facts.era : undefined;
  }

  /** Tasks that streams of changes want to hear of. */
  watchedIds(): readonly string[] {
    return this.#watched.ids();
  }

  async watch(ownId: string, { sessionId, principal }: TaskWatcher): Promise<boolean> {
    if (this.#era !== 'modern' || !this.#owners.mayReach(ownId, principal)) return false;
    this.#watched.add(ownId, sessionId);
    return this.#host.onWatchedChanged();
  }

  onSessionEnded(sessionId: string): void {
    this.#known.removeSession(sessionId);
    this.#progress.onSessionEnded(sessionId);
    if (this.#watched.removeSession(sessionId)) void this.#host.onWatchedChanged();
  }

  /** Sends a call; where a task may come of it, or it is about one, its client hears of that under public ids. */
  call(call: ProviderCall, send: (call: ProviderCall) => OutgoingCall): RunningCall {
    if (!mayNameTask(call)) return send(call);
    const { caller } = call;
    if (isAboutTask(call.text.message.method) && !this.#owners.mayReach(call.ownName, caller.client.principal)) {
      caller.onFailure(new GatewayError('UNKNOWN_TASK', 'Task not found'));
      return NOTHING_TO_CANCEL;
    }
    let outgoing: OutgoingCall | undefined;
    const onReply = (reply: Reply) => caller.onReply(this.#received(call, reply, outgoing));
    const onProgress = (frame: Frame) => this.#passProgress(caller, frame);
    outgoing = send({ ...call, caller: callerWith(caller, { onReply, onProgress }) });
    return outgoing;
  }

  /** What an upstream is not asked, because it has no such tasks; `undefined` for what it is asked. */
  ownAnswer({ text, caller }: ProviderCall): Promise<Reply> | undefined {
    const { method } = text.message;
    if (!isAboutTask(method)) return undefined;
    if (this.#era !== caller.client.era) return refusal(-32602, 'Task not found');
    const isKnown = method !== 'tasks/cancel' || this.#era === 'modern' || canDo('cancel', this.#facts!.capabilities);
    if (isKnown) return undefined;
    return refusal(-32601, `${this.#host.upstream}: it cannot cancel tasks`);
  }

  /** The tasks that a client has begun or asked for, each as JSON with its public id. */
  async list(sessionId: string): Promise<readonly ByteString[]> {
    const link = this.#link;
    if (link === undefined || this.#era !== 'legacy' || !canDo('list', this.#facts!.capabilities)) return [];
    if (!this.#known.hasAny(sessionId)) return [];
    const { upstream: key, listMs, log } = this.#host;
    const isWanted = (ownId: string) => this.#known.has(ownId, sessionId);
    return listedTasks({ key, listMs, log, isWanted, link });
  }

  /** A notification with public ids, for others to pass on; `undefined` where it has found its clients here. */
  take(message: NotificationMessage): NotificationMessage | undefined {
    const ownId = this.#era === undefined ? undefined : taskIn(message);
    if (ownId === undefined) return message;
    const told = withPublicIdsIn(this.#host.upstream, message);
    if (OTHER_RULES.has(message.method)) return told;
    if (!this.#budget.take()) this.#host.onLeftOut();
    else this.#tell(ownId, told);
    return undefined;
  }

  /** Progress of a call that is answered already. Returns whether a task of that call may go on. */
  onLateProgress(id: number, message: NotificationMessage): boolean {
    if (!this.#progress.isExpected(id)) return false;
    const told = withPublicIdsIn(this.#host.upstream, message);
    if (!this.#budget.take()) this.#host.onLeftOut();
    else this.#progress.pass(id, told, progressToken(told)!);
    return true;
  }

  /** What a legacy upstream asks because of a task; `undefined` where it names none. */
  askOf(message: RequestMessage): TaskAsk | undefined {
    const ownId = this.#era === 'legacy' ? taskIn(message) : undefined;
    if (ownId === undefined) return undefined;
    const key = this.#host.upstream;
    const sessionId = this.#known.ownerOf(ownId);
    return { ownId, message: withPublicIdsIn(key, message), sessionId, toOwn: (answer) => withOwnIds(key, answer) };
  }

  #received(call: ProviderCall, reply: Reply, outgoing: OutgoingCall | undefined): Reply {
    const { text, caller } = call;
    const era = reply.isModern === true ? 'modern' : 'legacy';
    if (era !== caller.client.era) return reply;
    const { method } = text.message;
    const named = withPublicIds(this.#host.upstream, method, era, reply);
    if (method === 'tools/call' && named.ownId !== undefined)
      this.#owners.onBegun(named.ownId, caller.client.principal);
    if (era === 'modern' || reply.outcome === 'error') return named.reply;
    const ownId = isAboutTask(method) ? call.ownName : named.ownId;
    if (ownId === undefined) return named.reply;
    if (method === 'tools/call') this.#known.begin(ownId, caller.sessionId);
    else this.#known.add(ownId, caller.sessionId);
    if (method === 'tasks/result' || method === 'tasks/cancel') this.#progress.onTaskEnded(ownId);
    else if (method === 'tools/call') this.#expectProgress(call, ownId, outgoing);
    return named.reply;
  }

  #expectProgress({ text, caller }: ProviderCall, ownTaskId: string, outgoing: OutgoingCall | undefined): void {
    if (text.progressToken === undefined || outgoing === undefined) return;
    const token = text.message.frame.raw(text.progressToken);
    this.#progress.expect(outgoing.requestId, { sessionId: caller.sessionId, token, ownTaskId });
  }

  #passProgress(caller: Caller, frame: Frame): void {
    const message = readMessage(frame) as NotificationMessage;
    const told = withPublicIdsIn(this.#host.upstream, message);
    caller.onProgress(told.frame, progressToken(told)!);
  }

  #tell(ownId: string, message: NotificationMessage): void {
    const sessions = (this.#era === 'modern' ? this.#watched : this.#known).sessionsOf(ownId);
    for (const sessionId of sessions) this.#host.directory.get(sessionId)?.onTaskChanged(message);
    if (sessions.size === 0 && this.#era === 'legacy') this.#callThatBegins(ownId)?.call.caller.onNotification(message);
  }

  /** A task may be told of before the call is answered that has begun it: then no other can be meant than a call for one. */
  #callThatBegins(ownId: string): OutgoingCall | undefined {
    const { open, left } = suspectsOf(this.#host.tracker, { task: { ownId, sessionId: undefined }, of: undefined });
    const verdict = attribute({ open, leftOwners: left.values() });
    return verdict.kind === 'client' ? verdict.calls[0] : undefined;
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

function progressToken(message: NotificationMessage): Span | undefined {
  return lastMember(paramsOf(message), 'progressToken');
}
