import { stringEdits } from '../../wire/edits/call-text.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import { stringOfToken } from '../../wire/lens.ts';
import { edited, type NotificationMessage, type RequestMessage } from '../../wire/message.ts';
import { openReply, type Reply, withEdits } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { holdsAny, type Marks } from '../../wire/scanning/search.ts';
import { type Shape, stringsAt } from '../../wire/shape.ts';
import { ERROR_SHAPE, PARAMS_SHAPES, RESULT_SHAPES } from './message-shapes.ts';

/** Gives the uri that is in the place of another one in a message. */
export type Renaming = (uri: string) => string;

/**
 * Every message that names a uri holds one of its marks: a type or key with "resource" in it, `openai/outputTemplate` in
 * `_meta`, or an escape, which may hide a letter of these.
 */
const MARKS: Marks = { inSmall: ['resource', 'outputTemplate', '\\u00'], inLarge: ['"resource', '"_meta', '\\u00'] };
const ERROR_MARKS: Marks = both(['"uri', '\\u00']);
const TASK_MARKS: Marks = both(['"resource', '"_meta', '"uri', '\\u00']);

/** Their results always name uris. */
const ALWAYS: ReadonlySet<string> = new Set([
  'resources/read',
  'resources/directory/read',
  'skills/list',
  'skills/get',
]);

/**
 * Returns an upstream's answer to `method` with other uris; all else in the same bytes, and the same object where none
 * differs.
 */
export function withUris(method: string, reply: Reply, rename: Renaming): Reply {
  const isError = reply.outcome === 'error';
  const shape = isError ? ERROR_SHAPE : RESULT_SHAPES.get(method);
  if (shape === undefined) return reply;
  const source = openReply(reply);
  const isCertain = !isError && ALWAYS.has(method);
  if (!isCertain && !holdsAny(source.frame, isError ? ERROR_MARKS : marksOf(method))) return reply;
  return withEdits(reply, source, editsIn(source.frame, source.body, shape, rename));
}

/** The same for what an upstream asks, and what it tells. */
export function withUrisIn<Told extends NotificationMessage | RequestMessage>(message: Told, rename: Renaming): Told {
  const shape = PARAMS_SHAPES.get(message.method);
  const { frame, params } = message;
  if (shape === undefined || params === undefined || !holdsAny(frame, marksOf(message.method))) return message;
  return edited(message, editsIn(frame, params, shape, rename));
}

function editsIn(frame: Frame, span: Span, shape: Shape, rename: Renaming): Edit[] {
  return stringsAt(frame, span, shape).flatMap((found) => {
    const uri = stringOfToken(frame.raw(found));
    if (uri === undefined || uri === '') return [];
    return stringEdits(frame, found, rename(uri));
  });
}

/** A task may carry the error of its call. */
function marksOf(method: string): Marks {
  return method.includes('tasks') && method !== 'tasks/result' ? TASK_MARKS : MARKS;
}

function both(marks: readonly string[]): Marks {
  return { inSmall: marks, inLarge: marks };
}
