import { type ByteString, type Bytes, jsonBytes } from '../bytes.ts';
import type { Edit, Frame } from '../frame.ts';
import { isRepeated, lastMember, stringAt, stringOfToken, typeOfByte } from '../lens.ts';
import type { RequestMessage } from '../message.ts';
import type { Member, Span } from '../scanning/outline.ts';
import { checkEscapes } from './escapes.ts';

/** A client's request that goes to one provider, with the spans that the relay may replace. */
export interface CallText {
  readonly message: RequestMessage;
  readonly params: readonly Member[];
  /** The target of the request: a tool's or prompt's name, a resource's uri, a task's id. */
  readonly target: string;
  readonly targetSpan: Span;
  readonly arguments: Span | undefined;
  /** Span of the token under which the client wants progress. */
  readonly progressToken: Span | undefined;
}

export interface BadParams {
  readonly problem: string;
  /** A member occurs twice: the message itself is ambiguous. */
  readonly isAmbiguous?: boolean;
}

/**
 * The path of keys below `params` to the target of a request. For completions the reference is either a
 * prompt's `name` or a resource template's `uri`.
 */
const TARGETS: Readonly<Record<string, readonly string[][]>> = {
  'tools/call': [['name']],
  'prompts/get': [['name']],
  'resources/read': [['uri']],
  'resources/subscribe': [['uri']],
  'resources/unsubscribe': [['uri']],
  'resources/directory/read': [['uri']],
  'skills/get': [['uri']],
  'completion/complete': [
    ['ref', 'name'],
    ['ref', 'uri'],
  ],
  'tasks/get': [['taskId']],
  'tasks/result': [['taskId']],
  'tasks/update': [['taskId']],
  'tasks/cancel': [['taskId']],
};

/** The members that are read of every call besides its target. */
const PROGRESS_TOKEN = ['_meta', 'progressToken'];
const READ_BESIDE = [['arguments'], PROGRESS_TOKEN];

/**
 * Reads the spans of a request of one of the methods above; says what is missing where it cannot.
 * A member that is read here and occurs twice is refused: parsers differ in which one they keep.
 * @throws JsonTextError if the params are no JSON far inside a long string
 */
export function readCallText(message: RequestMessage): CallText | BadParams {
  const { frame } = message;
  if (message.params === undefined) return { problem: '"params" is missing' };
  if (typeOfByte(frame.text[message.params.start]) !== 'object') return { problem: '"params" must be an object' };
  checkEscapes(frame.text, message.params);
  const params = frame.membersOf(message.params);
  const paths = TARGETS[message.method] ?? [];
  const repeated = firstRepeated(frame, params, paths) ?? firstRepeated(frame, params, READ_BESIDE);
  if (repeated !== undefined) return { problem: `"params.${repeated}" occurs twice`, isAmbiguous: true };
  const found = findTarget(frame, params, paths);
  if (found === undefined) {
    return { problem: `"params.${paths.map((path) => path.join('.')).join('" or "params.')}" must be a string` };
  }
  return {
    message,
    params,
    target: found.target,
    targetSpan: found.span,
    arguments: lastMember(params, 'arguments'),
    progressToken: findProgressToken(frame, params),
  };
}

function firstRepeated(frame: Frame, params: readonly Member[], paths: readonly string[][]): string | undefined {
  for (const path of paths) {
    const repeated = findRepeated(frame, params, path, 0);
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

/** Returns the first part of a path, from a depth on, that occurs more than once in its object, as a path. */
function findRepeated(
  frame: Frame,
  members: readonly Member[],
  path: readonly string[],
  depth: number,
): string | undefined {
  const key = path[depth]!;
  if (isRepeated(members, key)) return key;
  const member = depth === path.length - 1 ? undefined : lastMember(members, key);
  if (member === undefined || typeOfByte(frame.text[member.start]) !== 'object') return undefined;
  const below = findRepeated(frame, frame.membersOf(member), path, depth + 1);
  return below === undefined ? undefined : `${key}.${below}`;
}

function findTarget(frame: Frame, params: readonly Member[], paths: readonly string[][]) {
  for (const path of paths) {
    const span = memberAt(frame, params, path, 0);
    const target = stringAt(frame.text, span);
    if (span !== undefined && target !== undefined) return { span, target };
  }
  return undefined;
}

function memberAt(
  frame: Frame,
  members: readonly Member[],
  path: readonly string[],
  depth: number,
): Member | undefined {
  const member = lastMember(members, path[depth]!);
  if (depth === path.length - 1 || member === undefined) return member;
  if (typeOfByte(frame.text[member.start]) !== 'object') return undefined;
  return memberAt(frame, frame.membersOf(member), path, depth + 1);
}

/** Returns the token in `_meta.progressToken`, where it is a string or a number as the specification wants it. */
export function findProgressToken(frame: Frame, params: readonly Member[]): Span | undefined {
  const token = memberAt(frame, params, PROGRESS_TOKEN, 0);
  if (token === undefined) return undefined;
  const type = typeOfByte(frame.text[token.start]);
  return type === 'string' || type === 'number' ? token : undefined;
}

export interface CallEdits {
  readonly id: number;
  readonly progressToken: number;
  /** The target as the provider spells it, a JSON string token; absent if it stays. */
  readonly target?: ByteString | undefined;
  /** The additions that make the request one of the upstream's era. */
  readonly era?: readonly Edit[] | undefined;
}

/**
 * Returns the request as the upstream gets it: byte for byte, except for the id, the target, the progress token and
 * what its era requires.
 */
export function spliceCall(call: CallText, edits: CallEdits): Bytes {
  const list: Edit[] = [edit(call.message.idSpan, String(edits.id))];
  if (edits.target !== undefined) list.push(edit(call.targetSpan, edits.target));
  if (call.progressToken !== undefined) list.push(edit(call.progressToken, String(edits.progressToken)));
  if (edits.era !== undefined) list.unshift(...edits.era);
  return call.message.frame.splice(sortedEdits(list));
}

/** The number of edits up to which sorting by insertion costs less. A peer decides how many there are at most. */
const FEW = 8;

/** Sorts edits by their start, in place; those at one place keep their order. */
export function sortedEdits(edits: Edit[]): readonly Edit[] {
  if (edits.length > FEW) return edits.sort((a, b) => a.start - b.start);
  for (let index = 1; index < edits.length; index++) {
    const edit = edits[index]!;
    let place = index;
    for (; place > 0 && edits[place - 1]!.start > edit.start; place--) edits[place] = edits[place - 1]!;
    edits[place] = edit;
  }
  return edits;
}

/** Returns the edits that put a string in a span: none where it is there already, however it is spelt. */
export function stringEdits(frame: Frame, span: Span, value: string): Edit[] {
  return stringOfToken(frame.raw(span)) === value ? [] : [edit(span, jsonBytes(value))];
}

/** `span` replaced by `text`. */
export function edit(span: Span, text: ByteString): Edit {
  return { start: span.start, end: span.end, text };
}
