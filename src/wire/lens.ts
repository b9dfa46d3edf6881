import type { ByteString } from './bytes.ts';
import { JsonTextError } from './json-error.ts';
import { DEFAULT_MAX_DEPTH, MAX_PARTS } from './scanning/limits.ts';
import type { Member, Outline, Span } from './scanning/outline.ts';
import { JsonScanner, scannerForPeer } from './scanning/scanner.ts';

const WHOLE = (text: Buffer): Span => ({ start: 0, end: text.length });

/** One scanner serves every synchronous scan: its state never outlives the call. */
const scanner = new JsonScanner(DEFAULT_MAX_DEPTH);
const peerScanner = scannerForPeer();
/** The scanner for arrays of the protocol (blocks of content, messages), which keeps each element. */
const arrayScanner = new JsonScanner(DEFAULT_MAX_DEPTH, MAX_PARTS);

/**
 * Scans one JSON value and gives its spans, counted from the start of `text`.
 * @throws JsonTextError when the span does not hold exactly one JSON value.
 */
export function outlineOf(text: Buffer, span: Span = WHOLE(text)): Outline {
  return scanned(scanner, text, span);
}

/**
 * The same for a whole text of a peer, with the limits of `scannerForPeer`.
 * @throws JsonTextError when it is not exactly one JSON value, or exceeds a limit.
 */
export function peerOutline(text: Buffer): Outline {
  return scanned(peerScanner, text, WHOLE(text));
}

function scanned(scanner: JsonScanner, text: Buffer, span: Span): Outline {
  scanner.reset(span.start);
  scanner.push(text, span.start, span.end);
  return scanner.finish();
}

/**
 * The same for a part of a text in pieces, which are not joined; spans count from the start of the first one.
 * @throws JsonTextError when it is not JSON, of another kind, or an array with more than `MAX_PARTS` elements.
 */
export function partsOfPieces(kind: 'object' | 'array', pieces: readonly Buffer[], span: Span): readonly Member[] {
  const outline = outlineOfPieces(kind === 'array' ? arrayScanner : scanner, pieces, span);
  if (outline.kind !== kind) throw new JsonTextError(`expected an ${kind}`, outline.start);
  return outline.members;
}

function outlineOfPieces(scanner: JsonScanner, pieces: readonly Buffer[], span: Span): Outline {
  scanner.reset(span.start);
  let base = 0;
  for (const piece of pieces) {
    const from = Math.max(span.start - base, 0);
    const to = Math.min(span.end - base, piece.length);
    if (from < to) scanner.push(piece, from, to);
    base += piece.length;
    if (base >= span.end) break;
  }
  return scanner.finish();
}

/**
 * Returns the members of the object in `span`, in order of appearance, duplicates included.
 * @throws JsonTextError when it is not JSON, or not an object.
 */
export function membersOf(text: Buffer, span?: Span): readonly Member[] {
  const outline = outlineOf(text, span);
  if (outline.kind !== 'object') throw new JsonTextError('expected an object', outline.start);
  return outline.members;
}

/**
 * Returns the first elements of the array in `span`, `most` at most. A peer's array may have one for
 * every two bytes, and each costs many times that.
 * @throws JsonTextError when it is not JSON, or not an array.
 */
export function elementsOf(text: Buffer, span: Span, most: number): readonly Span[] {
  if (typeOfByte(text[span.start]) !== 'array') throw new JsonTextError('expected an array', span.start);
  const brief = new JsonScanner(DEFAULT_MAX_DEPTH, most);
  brief.reset(span.start);
  try {
    brief.push(text, span.start, span.end);
  } catch (error) {
    if (!(error instanceof JsonTextError) || brief.parts.length < most) throw error;
  }
  return brief.parts;
}

/**
 * Returns the end of the value that begins at `start`, whatever follows it.
 * @throws JsonTextError at the first byte that cannot be JSON
 */
export function valueEndAt(text: Buffer, start: number): number {
  scanner.reset(start);
  return scanner.pushValue(text, start, text.length);
}

/** Returns the member that `JSON.parse` would keep: of several with one key, the last. */
export function lastMember(members: readonly Member[], key: string): Member | undefined {
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index]!;
    if (member.key === key) return member;
  }
  return undefined;
}

/** Returns true if a key occurs more than once: parsers differ in which one they keep. */
export function isRepeated(members: readonly Member[], key: string): boolean {
  let count = 0;
  for (const member of members) if (member.key === key) count++;
  return count > 1;
}

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** Returns the type of a value, by its first byte. */
export function typeOfByte(byte: number | undefined): JsonType {
  switch (byte) {
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x22:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** Returns the bytes of a span, one character a byte: what is spliced into other texts. */
export function rawText(text: Buffer, span: Span): string {
  return text.latin1Slice(span.start, span.end);
}

/** Returns the string value in a span, or `undefined` when the value there is no string. */
export function stringAt(text: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined || text[span.start] !== 0x22) return undefined;
  const inner = text.utf8Slice(span.start + 1, span.end - 1);
  return inner.includes('\\') ? unescaped(inner) : inner;
}

/** Returns the string that a JSON token stands for, or `undefined` when it is no string. */
export function stringOfToken(token: ByteString): string | undefined {
  if (!token.startsWith('"')) return undefined;
  if (!/[\\\u0080-\u00ff]/.test(token)) return token.slice(1, -1);
  const text = Buffer.from(token, 'latin1');
  return stringAt(text, { start: 0, end: text.length });
}

/** A scan does not look at every escape of a long string: one with a bad escape is no string. */
function unescaped(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

/**
 * Returns the value in a span, built with `JSON.parse` or what is given instead.
 * @throws JsonTextError when it is not JSON.
 */
export function valueAt(
  text: Buffer,
  span: Span = WHOLE(text),
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return parse(text.utf8Slice(span.start, span.end));
  } catch (error) {
    throw new JsonTextError((error as Error).message, span.start);
  }
}

/**
 * The same for text of a peer that is not parsed yet: `undefined` when it is not JSON, because of long strings
 * only the beginning was checked (`CHECKED_STRING_BYTES`).
 */
export function readableAt(text: Buffer, span: Span): unknown {
  try {
    return valueAt(text, span);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
