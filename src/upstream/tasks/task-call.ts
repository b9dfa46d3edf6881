import { callerWith } from '../../core/providers/caller.ts';
import type { ProviderCall, RunningCall } from '../../core/providers/provider.ts';
import { withPublicIds, withPublicIdsIn } from '../../era/task-ids.ts';
import { isAboutTask } from '../../era/tasks.ts';
import type { Frame } from '../../wire/frame.ts';
import { type NotificationMessage, readMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';
import { progressToken } from './late-progress.ts';
import type { TaskRecords } from './task-records.ts';

/** A call on its way to the upstream. */
export interface SentTaskCall extends RunningCall {
  /** The id of the request, which is its token for progress. */
  readonly requestId: number;
}

export interface TaskCallHost {
  readonly upstream: string;
  readonly records: TaskRecords;
}

/** A call of which a task may come, or that is about one: its client hears about the task under the public id. */
export class TaskCall {
  readonly #call: ProviderCall;
  readonly #host: TaskCallHost;
  #sent: SentTaskCall | undefined;

  constructor(call: ProviderCall, host: TaskCallHost) {
    this.#call = call;
    this.#host = host;
  }

  /** Sends the call on its way with `send`. */
  run(send: (call: ProviderCall) => SentTaskCall): RunningCall {
    const { caller } = this.#call;
    const onReply = (reply: Reply) => caller.onReply(this.#received(reply));
    const onProgress = (frame: Frame) => this.#passProgress(frame);
    this.#sent = send({ ...this.#call, caller: callerWith(caller, { onReply, onProgress }) });
    return this.#sent;
  }

  /** Notes what the answer says about a task, and returns it as the client gets it. */
  #received(reply: Reply): Reply {
    const { text, caller } = this.#call;
    const era = reply.isModern === true ? 'modern' : 'legacy';
    if (era !== caller.client.era) return reply;
    const { method } = text.message;
    const { reply: named, ownId, isOver } = withPublicIds(this.#host.upstream, method, era, reply);
    const { owners, open } = this.#host.records;
    if (method === 'tools/call' && ownId !== undefined) {
      owners.onBegun(ownId, caller.client.principal);
      open.note(ownId, isOver);
    } else if (isAboutTask(method) && isOver) open.note(this.#call.ownName, isOver);
    if (era === 'legacy' && reply.outcome !== 'error')
      this.#noteLegacy(method, isAboutTask(method) ? this.#call.ownName : ownId);
    return named;
  }

  #noteLegacy(method: string, ownId: string | undefined): void {
    if (ownId === undefined) return;
    const { known, progress } = this.#host.records;
    const { sessionId } = this.#call.caller;
    if (method === 'tools/call') {
      known.begin(ownId, sessionId);
      this.#expectProgress(ownId);
    } else known.add(ownId, sessionId);
    if (method === 'tasks/result' || method === 'tasks/cancel') progress.onTaskEnded(ownId);
  }

  #expectProgress(ownTaskId: string): void {
    const { text, caller } = this.#call;
    if (text.progressToken === undefined || this.#sent === undefined) return;
    const token = text.message.frame.raw(text.progressToken);
    this.#host.records.progress.expect(this.#sent.requestId, { sessionId: caller.sessionId, token, ownTaskId });
  }

  #passProgress(frame: Frame): void {
    const told = withPublicIdsIn(this.#host.upstream, readMessage(frame) as NotificationMessage);
    this.#call.caller.onProgress(told.frame, progressToken(told)!);
  }
}
