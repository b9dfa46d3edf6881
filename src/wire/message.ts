import { type ByteString, jsonBytes, toBuffer } from './bytes.ts';
import { type Edit, Frame } from './frame.ts';
import { type IdToken, isRequestId } from './ids.ts';
import { JsonTextError } from './json-error.ts';
import { isRepeated, lastMember, stringOfToken, typeOfByte } from './lens.ts';
import type { Member, Span } from './scanning/outline.ts';

/** The kind of JSON-RPC 2.0 message that one frame is, with its members as spans. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage | InvalidMessage;

export interface RequestMessage {
  readonly kind: 'request';
  readonly frame: Frame;
  readonly method: string;
  readonly id: IdToken;
  readonly idSpan: Span;
  readonly params: Span | undefined;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly frame: Frame;
  readonly method: string;
  readonly params: Span | undefined;
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly frame: Frame;
  readonly id: IdToken;
  /** The spans of all `id` members: all are replaced, so that no reader can see another one. */
  readonly idSpans: readonly Span[];
  readonly result: Span | undefined;
  readonly error: Span | undefined;
  /** The envelope is as the specification has it; if not, it must be rebuilt before a strict client reads it. */
  readonly wellFormed: boolean;
}

export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly frame: Frame;
  readonly reason: string;
  /** The id, where one could be read: the peer is told what was wrong with that message. */
  readonly id: IdToken | undefined;
}

/** Members of which a second occurrence makes parsers disagree about the message. */
const READ_IN_REQUESTS = ['jsonrpc', 'id', 'method', 'params'];

/** Classifies a frame. Never throws: what is no message is `invalid`, with the reason. */
export function readMessage(frame: Frame): Message {
  if (frame.outline.kind !== 'object') return invalid(frame, 'a message must be a JSON object');
  const members = frame.outline.members;
  const method = lastMember(members, 'method');
  return method === undefined ? readResponse(frame, members) : readCall(frame, members, method);
}

/** Returns the members of a message's `params`; none if they are missing or no object. */
export function paramsOf(message: RequestMessage | NotificationMessage): readonly Member[] {
  const { params, frame } = message;
  return params !== undefined && typeOfByte(frame.text[params.start]) === 'object' ? frame.membersOf(params) : [];
}

/** Returns the message with some spans replaced, to be read again; `edits` are in order and do not overlap, and keep its kind. */
export function edited<Told extends RequestMessage | NotificationMessage>(message: Told, edits: readonly Edit[]): Told {
  if (edits.length === 0) return message;
  const copy = readMessage(Frame.of(toBuffer(message.frame.splice(edits))));
  return copy.kind === message.kind ? (copy as Told) : message;
}

/** Returns the members of `_meta` among a message's `params`; none if missing or no object. */
export function metaIn(frame: Frame, params: readonly Member[]): readonly Member[] {
  const meta = lastMember(params, '_meta');
  return meta !== undefined && typeOfByte(frame.text[meta.start]) === 'object' ? frame.membersOf(meta) : [];
}

/** Returns a request as if a peer had sent it; `params` is the JSON of an object. */
export function madeRequest(method: string, params?: ByteString): RequestMessage {
  const tail = params === undefined ? '' : `,"params":${params}`;
  const json = `{"jsonrpc":"2.0","id":0,"method":${jsonBytes(method)}${tail}}`;
  return readMessage(Frame.of(Buffer.from(json, 'latin1'))) as RequestMessage;
}

/** Returns the messages of a JSON-RPC batch; `undefined` if the frame is no array. An empty batch has no messages. */
export function readBatch(frame: Frame): Message[] | undefined {
  if (frame.outline.kind !== 'array') return undefined;
  return frame.outline.members.map((element) => readElement(frame, element));
}

function readElement(batch: Frame, { start, end }: Span): Message {
  try {
    return readMessage(Frame.ofPeer(batch.text.subarray(start, end)));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    // The text was scanned with its batch: only its parts can be too many.
    return invalid(batch, error.message);
  }
}

function invalid(frame: Frame, reason: string, id?: IdToken): InvalidMessage {
  return { kind: 'invalid', frame, reason, id };
}

function readCall(frame: Frame, members: readonly Member[], method: Member): Message {
  const idMember = lastMember(members, 'id');
  const id = idMember === undefined ? undefined : frame.raw(idMember);
  const repeated = READ_IN_REQUESTS.find((key) => isRepeated(members, key));
  if (repeated !== undefined) return invalid(frame, `the member "${repeated}" occurs twice`, id);
  const methodName = stringOfToken(frame.raw(method));
  if (methodName === undefined) return invalid(frame, '"method" must be a string', id);
  const params = lastMember(members, 'params');
  if (idMember === undefined) return { kind: 'notification', frame, method: methodName, params };
  if (!isRequestId(id!)) return invalid(frame, '"id" must be a string or an integer');
  return { kind: 'request', frame, method: methodName, id: id!, idSpan: idMember, params };
}

function readResponse(frame: Frame, members: readonly Member[]): Message {
  const idSpans: Member[] = [];
  for (const member of members) if (member.key === 'id') idSpans.push(member);
  const idSpan = idSpans[idSpans.length - 1];
  if (idSpan === undefined) return invalid(frame, 'neither "method" nor "id" is there');
  const result = present(frame, lastMember(members, 'result'));
  const error = present(frame, lastMember(members, 'error'));
  return {
    kind: 'response',
    frame,
    id: frame.raw(idSpan),
    idSpans,
    result,
    error,
    wellFormed: isWellFormed(frame, members),
  };
}

/** `"error": null` beside a result, as Go's net/rpc writes it, counts as absent; `"result": null` likewise. */
function present(frame: Frame, member: Member | undefined): Span | undefined {
  return member === undefined || typeOfByte(frame.byteAt(member.start)) === 'null' ? undefined : member;
}

const VERSION_2 = Buffer.from('"2.0"');

/** Compared by bytes: a string would have to be made for each message. */
function isVersion2(frame: Frame, { start, end }: Span): boolean {
  if (end - start !== VERSION_2.length) return false;
  for (let index = 0; index < VERSION_2.length; index++)
    if (frame.byteAt(start + index) !== VERSION_2[index]) return false;
  return true;
}

function isWellFormed(frame: Frame, members: readonly Member[]): boolean {
  let outcomes = 0;
  for (const { key } of members) if (key === 'result' || key === 'error') outcomes++;
  const version = lastMember(members, 'jsonrpc');
  return outcomes === 1 && version !== undefined && isVersion2(frame, version);
}
