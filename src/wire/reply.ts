import { type ByteString, type Bytes, jsonBytes, toBuffer } from './bytes.ts';
import { edit, sortedEdits } from './edits/call-text.ts';
import { type Edit, Frame } from './frame.ts';
import type { IdToken } from './ids.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte } from './lens.ts';
import type { ResponseMessage } from './message.ts';
import type { Span } from './scanning/outline.ts';

/** The answer to a request, still without the id under which its receiver asked. */
export interface Reply {
  readonly outcome: 'result' | 'error';
  /** The origin of a relayed answer, for those who want to look into it. */
  readonly source?: ReplySource;
  /** A peer of the modern era wrote it: a result says by itself of what type it is. */
  readonly isModern?: boolean;
  withId(id: IdToken): Bytes;
}

export interface ReplySource {
  readonly frame: Frame;
  /** The value of `result` or `error`. */
  readonly body: Span;
  /** The span of the id that will be replaced. */
  readonly idSpans: readonly Span[];
}

/** The same answer with some spans of its source replaced; `edits` do not overlap, and those at one place keep their order. */
export function withEdits(reply: Reply, source: ReplySource, edits: readonly Edit[]): Reply {
  if (edits.length === 0) return reply;
  const withId = (id: IdToken) => {
    const all = [...source.idSpans.map((span) => edit(span, id)), ...edits];
    return source.frame.splice(sortedEdits(all));
  };
  const { outcome, isModern } = reply;
  let opened: ReplySource | undefined;
  return {
    outcome,
    ...(isModern !== undefined && { isModern }),
    withId,
    /** Made for those who look into it: few do. */
    get source() {
      opened ??= sourceOf(outcome, withId);
      return opened;
    },
  };
}

/** Returns the text in which an answer can be examined: its source, or the text that it would be, made for the purpose. */
export function openReply(reply: Reply): ReplySource {
  return reply.source ?? sourceOf(reply.outcome, (id) => reply.withId(id));
}

function sourceOf(outcome: Reply['outcome'], withId: Reply['withId']): ReplySource {
  const frame = Frame.of(toBuffer(withId('0')));
  const { members } = frame.outline;
  return { frame, body: lastMember(members, outcome)!, idSpans: members.filter(({ key }) => key === 'id') };
}

/** Returns an answer made here: `body` is the JSON of `result` or `error`. */
export function madeReply(outcome: Reply['outcome'], body: Bytes): Reply {
  return {
    outcome,
    withId(id) {
      const head = `{"jsonrpc":"2.0","id":${id},"${outcome}":`;
      if (typeof body === 'string') return `${head}${body}}`;
      return [Buffer.from(head, 'latin1'), ...body, Buffer.from('}')];
    },
  };
}

export function resultReply(value: unknown): Reply {
  return madeReply('result', jsonBytes(value));
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function errorReply(error: ErrorBody): Reply {
  return madeReply('error', jsonBytes(error));
}

/**
 * Returns a peer's response for the client that made the request: byte for byte, except for the id. An envelope that
 * strict readers drop silently (no `jsonrpc`, both outcomes, an error without code or message) is rebuilt around the
 * same bytes. Returns the reason if there is nothing to pass on. `isModern` tells the era of the peer.
 */
export function relayedReply(message: ResponseMessage, isModern = false): Reply | { readonly problem: string } {
  const reply = judgedReply(message);
  return isModern && !('problem' in reply) ? { ...reply, isModern } : reply;
}

function judgedReply(message: ResponseMessage): Reply | { readonly problem: string } {
  const { frame, result, error } = message;
  if (result !== undefined && error !== undefined) return { problem: 'it has both a result and an error' };
  if (result !== undefined) return relayedResult(message, result);
  if (error !== undefined) return relayedError(message, error);
  return {
    problem: frame.outline.members.some((member) => member.key === 'result')
      ? 'its result is null'
      : 'it has neither a result nor an error',
  };
}

function relayedResult(message: ResponseMessage, result: Span): Reply | { readonly problem: string } {
  const { frame } = message;
  if (typeOfByte(frame.byteAt(result.start)) !== 'object') return { problem: 'its result is not an object' };
  if (!message.wellFormed) return madeReply('result', part(frame, result));
  return asItIs('result', message, result);
}

function relayedError(message: ResponseMessage, error: Span): Reply {
  const { frame } = message;
  const repaired = repairedError(frame, error);
  if (repaired !== undefined) return madeReply('error', repaired);
  return message.wellFormed ? asItIs('error', message, error) : madeReply('error', part(frame, error));
}

function asItIs(outcome: Reply['outcome'], { frame, idSpans }: ResponseMessage, body: Span): Reply {
  return {
    outcome,
    source: { frame, body, idSpans },
    withId: (id) => frame.splice(idSpans.map((span) => edit(span, id))),
  };
}

function part(frame: Frame, span: Span): Bytes {
  return [frame.text.subarray(span.start, span.end)];
}

const INTEGER = /^-?[0-9]+$/;

/** `undefined` if the error is as it should be: an integer code and a string message. */
function repairedError(frame: Frame, error: Span): ByteString | undefined {
  const { text } = frame;
  if (typeOfByte(text[error.start]) !== 'object') {
    const message = stringAt(text, error) ?? 'Error without a message';
    return jsonBytes({ code: -32603, message });
  }
  const members = membersOf(text, error);
  const code = lastMember(members, 'code');
  const codeToken = code === undefined ? '' : rawText(text, code);
  const message = stringAt(text, lastMember(members, 'message'));
  if (INTEGER.test(codeToken) && message !== undefined) return undefined;
  const data = lastMember(members, 'data');
  const parts = [
    `"code":${INTEGER.test(codeToken) ? codeToken : '-32603'}`,
    `"message":${jsonBytes(message ?? 'Error without a message')}`,
    ...(data === undefined ? [] : [`"data":${rawText(text, data)}`]),
  ];
  return `{${parts.join(',')}}`;
}
