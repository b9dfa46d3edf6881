import { type ByteString, jsonBytes } from '../wire/bytes.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { memberAdded } from '../wire/edits/object-edits.ts';
import type { Edit } from '../wire/frame.ts';
import { lastMember, membersOf, rawText, stringAt, typeOfByte } from '../wire/lens.ts';
import { madeRequest, type RequestMessage } from '../wire/message.ts';
import type { ReplySource } from '../wire/reply.ts';
import type { Member } from '../wire/scanning/outline.ts';
import { CAPABILITY_OF_ASK } from './legacy/legacy.ts';

/** The questions that a modern server asks before it continues (2026-07-28, "Multi Round-Trip Requests"). */
export interface InputRequired {
  /** The questions as requests that a legacy server would have sent. */
  readonly asks: readonly InputAsk[];
  /** The server's own token, as it wrote it. */
  readonly requestState: ByteString | undefined;
}

export interface InputAsk {
  /** The server's name for it, as a JSON token. */
  readonly key: ByteString;
  readonly message: RequestMessage;
}

/** Returns the type of a result; a result that names no type is complete. */
export function resultTypeOf({ frame, body }: ReplySource): string {
  const type = lastMember(membersOf(frame.text, body), 'resultType');
  return type === undefined ? 'complete' : (stringAt(frame.text, type) ?? rawText(frame.text, type));
}

/** Reads a result of the type `input_required`; `newId` makes ids for elicitations, which have none in this era. */
export function readInputRequired(
  { frame, body }: ReplySource,
  newId: () => string,
): InputRequired | { readonly problem: string } {
  const { text } = frame;
  const members = membersOf(text, body);
  const requests = lastMember(members, 'inputRequests');
  const state = lastMember(members, 'requestState');
  const requestState = state === undefined ? undefined : rawText(text, state);
  if (requests === undefined) {
    return requestState === undefined ? { problem: 'it requires input and asks for none' } : { asks: [], requestState };
  }
  if (typeOfByte(text[requests.start]) !== 'object') return { problem: '"inputRequests" is not an object' };
  const asks: InputAsk[] = [];
  for (const member of membersOf(text, requests)) {
    const message = askIn(text, member, newId);
    if (message === undefined) return { problem: `"inputRequests" has a member that is not a request: ${member.key}` };
    asks.push({ key: text.latin1Slice(member.keyStart, member.keyEnd), message });
  }
  return { asks, requestState };
}

function askIn(text: Buffer, member: Member, newId: () => string): RequestMessage | undefined {
  if (typeOfByte(text[member.start]) !== 'object') return undefined;
  const members = membersOf(text, member);
  const method = stringAt(text, lastMember(members, 'method'));
  if (method === undefined || !CAPABILITY_OF_ASK.has(method)) return undefined;
  const params = lastMember(members, 'params');
  return madeRequest(method, params === undefined ? undefined : paramsFor(method, text, params, newId));
}

/** Legacy clients know an elicitation by URL by its id; modern servers give it none. */
function paramsFor(method: string, text: Buffer, params: Member, newId: () => string): ByteString {
  const raw = rawText(text, params);
  if (method !== 'elicitation/create' || typeOfByte(text[params.start]) !== 'object') return raw;
  const members = membersOf(text, params);
  const isByUrl = stringAt(text, lastMember(members, 'mode')) === 'url';
  if (!isByUrl || lastMember(members, 'elicitationId') !== undefined) return raw;
  const { start, text: added } = memberAdded(params, members, `"elicitationId":${jsonBytes(newId())}`);
  const at = start - params.start;
  return `${raw.slice(0, at)}${added}${raw.slice(at)}`;
}

/** Edits that make a call its next try: with the answers, each the JSON of a result, and the state as it was given. */
export function retryEdits(call: CallText, required: InputRequired, answers: readonly ByteString[]): readonly Edit[] {
  const { asks, requestState } = required;
  const members: string[] = [];
  if (asks.length > 0) {
    const responses = asks.map(({ key }, index) => `${key}:${answers[index]}`);
    members.push(`"inputResponses":{${responses.join(',')}}`);
  }
  if (requestState !== undefined) members.push(`"requestState":${requestState}`);
  if (members.length === 0) return [];
  return [memberAdded(call.message.params!, call.params, members.join(','))];
}
