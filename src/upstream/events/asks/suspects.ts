import type { ProviderCall } from '../../../core/providers/provider.ts';
import { isAboutTask, wantsTask } from '../../../era/tasks.ts';
import type { CallTracker, EndingCall } from './call-tracker.ts';
import type { AskingTask } from './task-ask.ts';

/** A call of a client on its way through an upstream, as far as it matters whose question it may have caused. */
export interface SuspectCall extends EndingCall {
  readonly call: Pick<ProviderCall, 'text' | 'ownName' | 'caller'>;
}

/** The possible causes of a question. */
export interface AskOrigin<Call> {
  /** Calls; the work on a task, which belongs to its client; or nothing that a client has asked for. */
  readonly kind: 'calls' | 'task-owner' | 'outside';
  readonly open: readonly Call[];
  /** Calls that were given up: their owners by the id of the request. */
  readonly left: ReadonlyMap<number, string>;
  /** The upstream said which call, or which task, it asks for. */
  readonly isNamed: boolean;
}

export interface AskFacts {
  readonly task: AskingTask | undefined;
  /** The request on whose response stream it came (2025-11-25, Streamable HTTP: it "SHOULD relate to the originating request"). */
  readonly of: number | undefined;
  /** Returns whether a request that is no call of a client waits for its answer. */
  readonly isPending?: (requestId: number) => boolean;
}

const NOBODY: ReadonlyMap<number, string> = new Map();

/** Finds what may have caused a question that comes now. */
export function suspectsOf<Call extends SuspectCall>(
  tracker: CallTracker<Call>,
  { task, of, isPending }: AskFacts,
): AskOrigin<Call> {
  if (task !== undefined) return ofTask(tracker, task);
  if (of !== undefined) {
    const call = tracker.find(of);
    const kind = call === undefined && isPending?.(of) === true ? 'outside' : 'calls';
    return { kind, open: call === undefined ? [] : [call], left: NOBODY, isNamed: true };
  }
  const all = [...tracker.open];
  // Messages of a task name it (2025-11-25, "Related Task Metadata"), so a request about a task causes no other
  // question.
  const atWork = all.filter(({ call }) => !isAboutTask(call.text.message.method));
  const open = atWork.length > 0 ? atWork : all;
  return { kind: open.length > 0 ? 'calls' : 'outside', open, left: tracker.left, isNamed: false };
}

/** Finds what may have caused a question of a task. A client that waits for a task's result expects the question on the same stream. */
function ofTask<Call extends SuspectCall>(
  tracker: CallTracker<Call>,
  { ownId, sessionId }: AskingTask,
): AskOrigin<Call> {
  const all = [...tracker.open];
  const waiting = all.filter(({ call }) => call.text.message.method === 'tasks/result' && call.ownName === ownId);
  if (sessionId !== undefined) {
    const open = waiting.filter((call) => call.sessionId === sessionId);
    return { kind: open.length > 0 ? 'calls' : 'task-owner', open, left: NOBODY, isNamed: true };
  }
  // Its owner is unknown: it is of a call that is not answered yet, or of one that was given up.
  const open = [...waiting, ...all.filter(({ call }) => wantsTask(call.text))];
  return { kind: 'calls', open, left: tracker.left, isNamed: true };
}
