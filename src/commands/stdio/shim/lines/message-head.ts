import { copyOf, type Line } from './line.ts';

/** The members of a JSON-RPC message that tell what it is. */
interface MessageHead {
  /** The id as its sender spelt it, quotes included. */
  readonly id?: string;
  readonly method?: string;
  /** True for an answer, if its outcome stands in front of its id. */
  readonly hasOutcome?: boolean;
  /** True for a list of messages. */
  readonly isBatch?: boolean;
}

type Found = { -readonly [Key in keyof MessageHead]: MessageHead[Key] };

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACE = 0x20;
/** The longest key that matters, with its quotes. */
const MAX_KEY = 8;

const [ZERO, NINE, MINUS] = [0x30, 0x39, 0x2d];
const [NEWLINE, CARRIAGE_RETURN, LAST_PRINTABLE] = [0x0a, 0x0d, 0x7e];

/** In front of the id of a last member `id`. A string cannot hold this text: its quotes would have to be escaped. */
const ID_KEY = Buffer.from(',"id":');
/** The longest id that is looked for at the end. */
const MAX_LAST_ID = 48;

/**
 * Returns what a line is, and reads no more of it than needed: most senders write the id in front of params and results, and
 * those that use the TypeScript SDK write it at the end.
 */
export function headOf(line: Line): MessageHead {
  const { chunk, from, to, earlier } = line;
  const found: Found = {};
  const [first, start, end] = earlier === undefined ? [chunk, from, to] : [earlier[0]!, 0, earlier[0]!.length];
  if (readMembers(first, start, end, found, false)) return found;
  if (found.method !== undefined || found.hasOutcome === true) {
    const id = lastId(chunk, from, to);
    if (id !== undefined) return { ...found, id };
  }
  const whole: Found = {};
  if (earlier === undefined) readMembers(chunk, from, to, whole, true);
  else {
    const text = copyOf(line);
    readMembers(text, 0, text.length, whole, true);
  }
  return whole;
}

/**
 * Reads members of the object that begins at `from` until what the message is has been found; `true` then, and at its end.
 * Unless `isThorough`, it stops at the first value that is an object or array.
 */
function readMembers(text: Buffer, from: number, to: number, found: Found, isThorough: boolean): boolean {
  let at = skipBlank(text, from, to);
  if (text[at] === OPEN_BRACKET) found.isBatch = true;
  if (text[at] !== OPEN_BRACE) return at < to;
  for (at = skipBlank(text, at + 1, to); at < to && text[at] === QUOTE; at = skipBlank(text, at, to)) {
    const keyEnd = stringEnd(text, at, to);
    if (keyEnd >= to) return isThorough;
    const key = keyEnd - at > MAX_KEY ? '' : text.latin1Slice(at + 1, keyEnd - 1);
    const start = skipBlank(text, keyEnd, to);
    if (key === 'result' || key === 'error') found.hasOutcome = true;
    if (isSettled(found)) return true;
    if (!isThorough && isContainer(text[start])) return false;
    at = valueEnd(text, start, to);
    if (at >= to) return isThorough;
    if (key === 'id') found.id = text.utf8Slice(start, at);
    if (key === 'method') found.method = asString(text.utf8Slice(start, at));
    if (isSettled(found)) return true;
  }
  return at < to;
}

/** Returns the id of a message whose last member it is, if it is written without white space. */
function lastId(chunk: Buffer, from: number, to: number): string | undefined {
  let end = to - 1;
  if (chunk[end] === NEWLINE) end--;
  if (chunk[end] === CARRIAGE_RETURN) end--;
  if (chunk[end] !== CLOSE_BRACE) return undefined;
  const isString = chunk[end - 1] === QUOTE;
  let start = isString ? end - 2 : end - 1;
  const first = Math.max(from + ID_KEY.length, end - MAX_LAST_ID);
  while (start >= first && isPartOfId(chunk[start]!, isString)) start--;
  if (!isString) start++;
  else if (chunk[start] !== QUOTE) return undefined;
  const key = start - ID_KEY.length;
  if (key < from || start >= end || ID_KEY.compare(chunk, key, start) !== 0) return undefined;
  return chunk.latin1Slice(start, end);
}

function isPartOfId(byte: number, isString: boolean): boolean {
  if (isString) return byte !== QUOTE && byte !== BACKSLASH && byte >= SPACE && byte <= LAST_PRINTABLE;
  return (byte >= ZERO && byte <= NINE) || byte === MINUS;
}

function isSettled({ id, method, hasOutcome }: Found): boolean {
  return id !== undefined && (method !== undefined || hasOutcome === true);
}

function isContainer(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function asString(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

/** Returns the index of the first byte that is neither white space, comma nor colon. */
function skipBlank(text: Buffer, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const byte = text[at]!;
    if (byte > SPACE && byte !== COMMA && byte !== COLON) break;
  }
  return at;
}

/** Returns the index behind the string that begins at `from`, or `to` if it does not end before. */
function stringEnd(text: Buffer, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const byte = text[at]!;
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  return to;
}

function valueEnd(text: Buffer, from: number, to: number): number {
  if (text[from] === QUOTE) return stringEnd(text, from, to);
  if (isContainer(text[from])) return containerEnd(text, from, to);
  let at = from;
  for (; at < to; at++) {
    const byte = text[at]!;
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE) break;
  }
  return at;
}

function containerEnd(text: Buffer, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = text[at]!;
    if (byte === QUOTE) at = stringEnd(text, at, to) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return to;
}
