import type { Era } from '../core/providers/provider.ts';
import { parseTaskId, taskIdPrefix } from '../core/providers/task-id.ts';
import { type ByteString, jsonBytes, toBuffer } from '../wire/bytes.ts';
import { type Edit, Frame } from '../wire/frame.ts';
import { lastMember, membersOf, stringAt, typeOfByte } from '../wire/lens.ts';
import {
  edited,
  type NotificationMessage,
  paramsOf,
  type RequestMessage,
  type ResponseMessage,
} from '../wire/message.ts';
import { openReply, type Reply, withEdits } from '../wire/reply.ts';
import type { Member, Span } from '../wire/scanning/outline.ts';

/** The key of `_meta` under which a legacy message names the task that it belongs to (2025-11-25, "Related Task Metadata"). */
const RELATED = 'io.modelcontextprotocol/related-task';

/** Notifications whose params are a task. */
const ABOUT_A_TASK: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);

/** An answer of a server with the ids of tasks as clients know them. */
export interface TaskReply {
  readonly reply: Reply;
  /** The server's own id of the task that it is about, where the answer names it. */
  readonly ownId: string | undefined;
  /** The task has ended, as far as the answer says. */
  readonly isOver: boolean;
}

/** The states in which a task stays (2025-11-25, "Task Status Lifecycle"; extension "Tasks", 2026-07-28). */
const FINAL: ReadonlySet<string | undefined> = new Set(['completed', 'failed', 'cancelled']);

/** `key` in front of every id of a task in a result; the rest passes byte for byte, and so do errors. */
export function withPublicIds(key: string, method: string, era: Era, reply: Reply): TaskReply {
  if (reply.outcome === 'error') return { reply, ownId: undefined, isOver: false };
  const source = openReply(reply);
  const { text } = source.frame;
  const members = membersOf(text, source.body);
  const states = statesIn(method, era, text, members);
  const related = era === 'modern' ? [] : relatedSpans(text, members);
  // The task that the result is about comes first if it is named at all.
  const spans = inOrder([...states.flatMap((state) => idsAmong(text, state)), ...related]);
  return {
    reply: withEdits(reply, source, publicEdits(key, spans)),
    ownId: stringAt(text, spans[0]),
    isOver: method === 'tasks/result' || saysOver(text, states.flat()),
  };
}

/** Returns true if the answer to `tasks/get` says that the task has ended. */
export function saysTaskOver({ frame: { text }, result }: ResponseMessage): boolean {
  return result !== undefined && saysOver(text, membersOf(text, result));
}

/** Returns true if a notification about a task says that it has ended. */
export function tellsTaskOver(message: NotificationMessage): boolean {
  return ABOUT_A_TASK.has(message.method) && saysOver(message.frame.text, paramsOf(message));
}

function saysOver(text: Buffer, task: readonly Member[]): boolean {
  return FINAL.has(stringAt(text, lastMember(task, 'status')));
}

/** The same for a notification, or for what a legacy server asks because of a task. */
export function withPublicIdsIn<Told extends NotificationMessage | RequestMessage>(key: string, message: Told): Told {
  return edited(message, publicEdits(key, paramsSpans(message)));
}

/** Returns the server's own id of the task that a message names; `undefined` if it names none. */
export function taskIn(message: NotificationMessage | RequestMessage): string | undefined {
  return stringAt(message.frame.text, paramsSpans(message)[0]);
}

/** Returns a client's answer about a task, with the server's own id in it. */
export function withOwnIds(key: string, reply: Reply): Reply {
  if (reply.outcome === 'error') return reply;
  const source = openReply(reply);
  const { text } = source.frame;
  return withEdits(reply, source, ownEdits(key, text, relatedSpans(text, membersOf(text, source.body))));
}

/** One task of a list as the JSON that clients get, and the server's own id of it; `undefined` for what is no task. */
export function listedTask(key: string, text: Buffer, task: Span): { json: ByteString; ownId: string } | undefined {
  if (typeOfByte(text[task.start]) !== 'object') return undefined;
  const frame = Frame.of(text.subarray(task.start, task.end));
  const spans = idsAmong(frame.text, frame.outline.members);
  const ownId = stringAt(frame.text, spans[0]);
  if (ownId === undefined) return undefined;
  return { json: toBuffer(frame.splice(publicEdits(key, spans))).toString('latin1'), ownId };
}

/** Returns the objects of a result that say how a task is. A result that came late is the tool's own, regardless of its members. */
function statesIn(method: string, era: Era, text: Buffer, members: readonly Member[]): (readonly Member[])[] {
  if (era === 'modern') {
    const isState = method !== 'tools/call' || stringAt(text, lastMember(members, 'resultType')) === 'task';
    return isState ? [members] : [];
  }
  if (method === 'tasks/result') return [];
  return method === 'tools/call' ? membersNamed(text, members, 'task') : [members];
}

function paramsSpans(message: NotificationMessage | RequestMessage): readonly Span[] {
  const { text } = message.frame;
  const params = paramsOf(message);
  const own = ABOUT_A_TASK.has(message.method) ? idsAmong(text, params) : [];
  return inOrder([...own, ...relatedSpans(text, params)]);
}

function relatedSpans(text: Buffer, members: readonly Member[]): readonly Span[] {
  return membersNamed(text, members, '_meta')
    .flatMap((meta) => membersNamed(text, meta, RELATED))
    .flatMap((related) => idsAmong(text, related));
}

function idsAmong(text: Buffer, members: readonly Member[]): readonly Span[] {
  return members.filter(({ key, start }) => key === 'taskId' && typeOfByte(text[start]) === 'string');
}

/** Returns the members of each object under this key: where there are several, every reader may have kept another. */
function membersNamed(text: Buffer, members: readonly Member[], name: string): (readonly Member[])[] {
  return members
    .filter(({ key, start }) => key === name && typeOfByte(text[start]) === 'object')
    .map((member) => membersOf(text, member));
}

function inOrder(spans: readonly Span[]): readonly Span[] {
  return [...spans].sort((a, b) => a.start - b.start);
}

/** Behind the quote with which each id begins. */
function publicEdits(key: string, spans: readonly Span[]): Edit[] {
  return spans.map(({ start }) => ({ start: start + 1, end: start + 1, text: taskIdPrefix(key) }));
}

function ownEdits(key: string, text: Buffer, spans: readonly Span[]): Edit[] {
  return spans.flatMap((span) => {
    const id = parseTaskId(stringAt(text, span) ?? '');
    return id?.key === key ? [{ start: span.start, end: span.end, text: jsonBytes(id.ownId) }] : [];
  });
}
