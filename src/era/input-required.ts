import { type ByteString, jsonBytes } from '../wire/bytes.ts';
import { type CallText, sortedEdits } from '../wire/edits/call-text.ts';
import { membersRemoved } from '../wire/edits/object-edits.ts';
import { elementsOf, lastMember, membersOf, rawText, stringAt, typeOfByte } from '../wire/lens.ts';
import { madeRequest, paramsOf, type RequestMessage } from '../wire/message.ts';
import { openReply, type Reply } from '../wire/reply.ts';
import type { Span } from '../wire/scanning/outline.ts';

/** The most pages that one call may ask a user to open. */
const MAX_URLS = 100;
/** "The user must visit a URL first", until 2026-07-28 a question took its place. */
const URL_REQUIRED = '-32042';

/** Parts of a legacy question that mean nothing to a modern client: ids of completions, tasks, tokens for progress. */
const LEGACY_PARAMS: ReadonlySet<string> = new Set(['elicitationId', 'task']);

/** Returns the result that asks a client for input before its call can go on (2026-07-28, `InputRequiredResult`), as JSON. */
export function inputRequiredResult(asks: ReadonlyMap<string, RequestMessage>, requestState: string): ByteString {
  const requests = [...asks].map(([key, message]) => `${jsonBytes(key)}:${inputRequest(message)}`);
  return `{"resultType":"input_required","inputRequests":{${requests.join(',')}},"requestState":${jsonBytes(requestState)}}`;
}

function inputRequest(message: RequestMessage): ByteString {
  const method = `"method":${jsonBytes(message.method)}`;
  return message.params === undefined ? `{${method}}` : `{${method},"params":${modernParams(message, message.params)}}`;
}

function modernParams(message: RequestMessage, span: Span): ByteString {
  const { text } = message.frame;
  const params = paramsOf(message);
  const meta = lastMember(params, '_meta');
  const metaMembers = meta !== undefined && typeOfByte(text[meta.start]) === 'object' ? membersOf(text, meta) : [];
  const isBare = metaMembers.length > 0 && metaMembers.every(({ key }) => key === 'progressToken');
  const edits = sortedEdits([
    ...membersRemoved(params, ({ key }) => LEGACY_PARAMS.has(key) || (isBare && key === '_meta')),
    ...(isBare ? [] : membersRemoved(metaMembers, ({ key }) => key === 'progressToken')),
  ]);
  let at = span.start;
  let result = '';
  for (const { start, end } of edits) {
    result += text.latin1Slice(at, start);
    at = end;
  }
  return result + text.latin1Slice(at, span.end);
}

/** The parts of a client's call that answer an earlier round. */
export interface RetryParams {
  readonly requestState: string | undefined;
  /** The spans of the responses, by the keys of the questions. */
  readonly responses: ReadonlyMap<string, Span>;
}

/** Reads what a retry brings, or says what is wrong with it. */
export function readRetry({ message, params }: CallText): RetryParams | { readonly problem: string } {
  const { text } = message.frame;
  const state = lastMember(params, 'requestState');
  const requestState = stringAt(text, state);
  if (state !== undefined && requestState === undefined) return { problem: '"params.requestState" must be a string' };
  const given = lastMember(params, 'inputResponses');
  if (given === undefined) return { requestState, responses: new Map() };
  if (typeOfByte(text[given.start]) !== 'object') return { problem: '"params.inputResponses" must be an object' };
  const responses = new Map<string, Span>();
  for (const member of membersOf(text, given)) {
    if (typeOfByte(text[member.start]) !== 'object')
      return { problem: `"params.inputResponses" must have an object under ${JSON.stringify(member.key)}` };
    responses.set(member.key, member);
  }
  return { requestState, responses };
}

/** Returns what is wrong with the response to a question, if it cannot be a response at all. */
export function responseProblem(ask: RequestMessage, text: Buffer, response: Span): string | undefined {
  if (ask.method !== 'elicitation/create') return undefined;
  const action = stringAt(text, lastMember(membersOf(text, response), 'action'));
  return action === 'accept' || action === 'decline' || action === 'cancel'
    ? undefined
    : '"action" must be "accept", "decline" or "cancel"';
}

/**
 * Returns the questions of a legacy server that wants its user to visit URLs before the call is made again (2025-11-25,
 * -32042).
 */
export function requiredUrls(reply: Reply): RequestMessage[] | undefined {
  if (reply.outcome !== 'error') return undefined;
  const { frame, body } = openReply(reply);
  const { text } = frame;
  const error = typeOfByte(text[body.start]) === 'object' ? membersOf(text, body) : [];
  const code = lastMember(error, 'code');
  const data = lastMember(error, 'data');
  if (code === undefined || rawText(text, code) !== URL_REQUIRED || data === undefined) return undefined;
  if (typeOfByte(text[data.start]) !== 'object') return undefined;
  const list = lastMember(membersOf(text, data), 'elicitations');
  if (list === undefined || typeOfByte(text[list.start]) !== 'array') return undefined;
  const asks = elementsOf(text, list, MAX_URLS).map((span) => elicitation(rawText(text, span)));
  return asks.length > 0 && asks.every((ask) => ask !== undefined) ? (asks as RequestMessage[]) : undefined;
}

function elicitation(params: ByteString): RequestMessage | undefined {
  const message = madeRequest('elicitation/create', params);
  return paramsOf(message).length > 0 ? message : undefined;
}
