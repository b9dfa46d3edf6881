import { type Bytes, jsonBytes, SMALL_BYTES } from '../../../wire/bytes.ts';
import type { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import { lastMember, peerOutline, rawText, readableAt, stringAt, typeOfByte } from '../../../wire/lens.ts';
import type { Member, Span } from '../../../wire/scanning/outline.ts';

/** An object may be in this string; what is white space to JSON may are in front of it. */
const BEGINS_WITH_OBJECT = /^"(?:[ ]|\\[nrt])*\{/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the array of tools: the whole answer, or its member `tools`. */
export function toolsIn({ text, outline }: Frame): Span | undefined {
  if (outline.kind === 'array') return outline;
  const tools = outline.kind === 'object' ? lastMember(outline.members, 'tools') : undefined;
  return tools !== undefined && typeOfByte(text[tools.start]) === 'array' ? tools : undefined;
}

/** A JSON-RPC error: the newer version of the plug-in answers one to everything that is no POST. */
export function isRpcError({ text, outline }: Frame): boolean {
  if (outline.kind !== 'object') return false;
  const error = lastMember(outline.members, 'error');
  const version = stringAt(text, lastMember(outline.members, 'jsonrpc'));
  return version === '2.0' && error !== undefined && typeOfByte(text[error.start]) === 'object';
}

/**
 * Returns the result of `tools/call` in what a plug-in answered: the bytes of its texts stay as they are. `undefined` if it is
 * no answer of this dialect.
 */
export function toolResult(answer: Frame, isFailure: boolean): Bytes | undefined {
  const outcome = outcomeIn(answer);
  if (outcome === undefined) return undefined;
  const { text } = answer;
  const { status, error, meta } = outcome;
  const blocks = [error, status].filter((span) => span !== undefined).map((span) => blockOf(text, span));
  const isError = error !== undefined || isFailure;
  const structured = status === undefined || isError ? undefined : structuredIn(text, status);
  const pieces = [
    ...joined(blocks),
    Buffer.from(']'),
    ...(structured === undefined ? [] : [Buffer.from(',"structuredContent":'), structured]),
    ...(isError ? [Buffer.from(',"isError":true')] : []),
    ...(meta === undefined ? [] : [Buffer.from(',"_meta":'), text.subarray(meta.start, meta.end)]),
    Buffer.from('}'),
  ];
  return [Buffer.from('{"content":['), ...pieces];
}

interface Outcome {
  readonly status: Span | undefined;
  readonly error: Span | undefined;
  readonly meta: Span | undefined;
}

function outcomeIn({ text, outline }: Frame): Outcome | undefined {
  if (outline.kind !== 'object') return undefined;
  const { members } = outline;
  const isThere = members.some(({ key }) => key === 'status' || key === 'error');
  if (!isThere || members.some(({ key }) => key === 'jsonrpc')) return undefined;
  const meta = present(text, members, '_meta');
  return {
    status: present(text, members, 'status'),
    error: present(text, members, 'error'),
    meta: meta !== undefined && typeOfByte(text[meta.start]) === 'object' ? meta : undefined,
  };
}

function present(text: Buffer, members: readonly Member[], key: string): Member | undefined {
  const member = lastMember(members, key);
  return member === undefined || typeOfByte(text[member.start]) === 'null' ? undefined : member;
}

/** Strings are taken over as they are spelt; anything else is shown as the JSON that it is. */
function blockOf(text: Buffer, span: Span): Buffer[] {
  const isString = typeOfByte(text[span.start]) === 'string';
  const value = isString
    ? text.subarray(span.start, span.end)
    : Buffer.from(jsonBytes(text.toString('utf8', span.start, span.end)), 'latin1');
  return [Buffer.from('{"type":"text","text":'), value, Buffer.from('}')];
}

function joined(blocks: readonly Buffer[][]): Buffer[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : [Buffer.from(','), ...block]));
}

/** Returns an object, or a string that is the JSON of one. */
function structuredIn(text: Buffer, status: Span): Buffer | undefined {
  const type = typeOfByte(text[status.start]);
  if (type === 'object') return text.subarray(status.start, status.end);
  const head = rawText(text, { start: status.start, end: Math.min(status.end, status.start + SMALL_BYTES) });
  if (type !== 'string' || !BEGINS_WITH_OBJECT.test(head)) return undefined;
  const inner = stringAt(text, status);
  return inner === undefined || LONE_SURROGATE.test(inner) ? undefined : asObjectText(Buffer.from(inner));
}

function asObjectText(text: Buffer): Buffer | undefined {
  try {
    const { kind, start, end } = peerOutline(text);
    return kind === 'object' ? text.subarray(start, end) : undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

/** The facts that a plug-in reports about itself in response to `initialize` or `status`. */
export interface IdeFacts {
  readonly serverInfo?: Readonly<Record<string, unknown>>;
  /** The folder that the window has open: `''` for none; absent if the plug-in does not say. */
  readonly workspace?: string;
}

export function factsIn({ text, outline }: Frame): IdeFacts {
  const { result } = (readableAt(text, outline) ?? {}) as { result?: Readonly<Record<string, unknown>> | null };
  const { serverInfo, environment } = (result ?? {}) as { serverInfo?: unknown; environment?: unknown };
  const { workspaceRoot } = (environment ?? {}) as { workspaceRoot?: unknown };
  return {
    ...(isRecord(serverInfo) && { serverInfo }),
    ...(typeof workspaceRoot === 'string' && { workspace: workspaceRoot }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
