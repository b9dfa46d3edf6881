import { JsonTextError } from '../json-error.ts';
import { isLineBreak, isWhitespace } from './characters.ts';
import { DEFAULT_MAX_DEPTH, MAX_MEMBERS, MAX_PARTS } from './limits.ts';
import { endsLiteral, firstLiteralState, isLiteralState, nextLiteralState } from './literal-grammar.ts';
import { endsNumber, firstNumberState, nextNumberState } from './number-grammar.ts';
import { OpenContainers } from './open-containers.ts';
import type { Member, Outline } from './outline.ts';
import { OutlineRecorder } from './outline-recorder.ts';
import { StringScanner } from './string-scanner.ts';
import { QUOTE } from './string-search.ts';

const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_KEY = 2;
const NEXT_KEY = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;
const KEY = 6;
const STRING = 7;
const DONE = 8;
// The states of numbers and literals follow: see number-grammar.ts and literal-grammar.ts.

/**
 * Reads JSON text (RFC 8259, UTF-8) piece by piece, keeps the spans of the outermost container's parts and builds no
 * values. It accepts what `JSON.parse` accepts up to `maxDepth` levels, `maxParts` parts of the outermost value and
 * `maxMembers` members of each object inside it. The only other difference is that it accepts bad escapes far inside long
 * strings (`CHECKED_STRING_BYTES`). Pieces may be cut anywhere, so a large frame is scanned while it arrives.
 */
export class JsonScanner {
  readonly #containers: OpenContainers;
  readonly #outline: OutlineRecorder;
  readonly #string = new StringScanner();
  #state = VALUE;
  #length = 0;

  constructor(
    maxDepth: number = DEFAULT_MAX_DEPTH,
    maxParts = Number.POSITIVE_INFINITY,
    maxMembers = Number.POSITIVE_INFINITY,
  ) {
    this.#containers = new OpenContainers(maxDepth, maxMembers);
    this.#outline = new OutlineRecorder(maxParts);
  }

  /** Forgets everything: the next `push` begins a new text, whose spans are counted from `offset`. */
  reset(offset = 0): void {
    this.#containers.reset();
    this.#outline.reset();
    this.#string.reset();
    this.#state = VALUE;
    this.#length = offset;
  }

  /**
   * Scans the next piece of the text: `piece` from `from` to `to`.
   * @throws JsonTextError at the first byte at which the text so far cannot be JSON.
   */
  push(piece: Buffer, from = 0, to = piece.length): void {
    const base = this.#length - from;
    for (let at = this.pushValue(piece, from, to); at < to; at++)
      if (!isWhitespace(piece[at]!)) throw new JsonTextError('text after the end', base + at);
  }

  /**
   * Does the same, but stops where the value ends: anything may follow it.
   * @returns where it stopped in `piece`; `to` while the value goes on
   * @throws JsonTextError at the first byte at which the text so far cannot be JSON.
   */
  pushValue(piece: Buffer, from: number, to: number): number {
    const base = this.#length - from;
    this.#length += to - from;
    let at = from;
    // Runs of one state are consumed by their own loops; this switch is entered once a token, not once a byte.
    while (at < to && this.#state !== DONE) {
      switch (this.#state) {
        case KEY:
          at = this.#scanKey(piece, at, to, base);
          break;
        case STRING:
          at = this.#scanString(piece, at, to, base);
          break;
        default:
          if (this.#state < KEY) at = this.#scanStructure(piece, at, to, base);
          else if (isLiteralState(this.#state)) at = this.#scanLiteral(piece, at, to, base);
          else at = this.#scanNumber(piece, at, to, base);
      }
    }
    return at;
  }

  /** True if only white space has been seen. */
  get isBlank(): boolean {
    return this.#containers.depth === 0 && this.#state === VALUE;
  }

  /** The outermost container is closed, or the outermost string or literal ended. */
  get isDone(): boolean {
    return this.#state === DONE;
  }

  /** A container is open. */
  get isInside(): boolean {
    return this.#containers.depth > 0;
  }

  /** The parts of the outermost value that have ended so far. */
  get parts(): readonly Member[] {
    return this.#outline.members;
  }

  /**
   * Ends the text and returns its outline.
   * @throws JsonTextError when the text stops before its value does.
   */
  finish(): Outline {
    if (this.#containers.depth === 0 && endsNumber(this.#state)) this.#endValue(this.#length);
    if (this.#state !== DONE) throw new JsonTextError('text ends early', this.#length);
    return this.#outline.finish();
  }

  /** Scans punctuation and the first byte of values, until a string, number or literal begins or the text is done. */
  #scanStructure(piece: Buffer, from: number, to: number, base: number): number {
    let at = from;
    while (at < to && this.#state < KEY) {
      const byte = piece[at]!;
      if (byte > SPACE || !isWhitespace(byte)) this.#punctuate(byte, base + at);
      // A line break in front of the value is not part of it.
      else if (isLineBreak(byte) && this.#containers.depth > 0) this.#outline.noteLineBreak();
      at++;
    }
    return at;
  }

  #punctuate(byte: number, offset: number): void {
    switch (this.#state) {
      case AFTER_VALUE:
        this.#afterValue(byte, offset);
        break;
      case AFTER_KEY:
        if (byte !== COLON) throw new JsonTextError('expected ":"', offset);
        this.#state = VALUE;
        break;
      case VALUE:
        this.#beginValue(byte, offset);
        break;
      case FIRST_ELEMENT:
        if (byte === CLOSE_BRACKET) this.#closeContainer(offset);
        else this.#beginValue(byte, offset);
        break;
      default:
        if (byte === QUOTE) this.#beginKey(offset);
        else if (byte === CLOSE_BRACE && this.#state === FIRST_KEY) this.#closeContainer(offset);
        else throw new JsonTextError('expected a key', offset);
    }
  }

  #beginKey(offset: number): void {
    this.#state = KEY;
    // Keys are read as strings later, so they are checked to their ends.
    this.#string.beginChecked();
    if (this.#containers.depth === 1) this.#outline.beginKey(offset);
    else this.#containers.countMember(offset);
  }

  #beginValue(byte: number, offset: number): void {
    const { depth } = this.#containers;
    if (depth === 1) this.#outline.beginPart(offset);
    else if (depth === 0) this.#outline.beginValue(kindOf(byte), offset);
    if (byte === QUOTE) {
      this.#state = STRING;
      this.#string.begin();
    } else if (byte === OPEN_BRACE) {
      this.#containers.open(1, offset);
      this.#state = FIRST_KEY;
    } else if (byte === OPEN_BRACKET) {
      this.#containers.open(0, offset);
      this.#state = FIRST_ELEMENT;
    } else this.#state = firstScalarState(byte, offset);
  }

  #closeContainer(offset: number): void {
    this.#containers.close();
    this.#endValue(offset + 1);
  }

  #afterValue(byte: number, offset: number): void {
    const inObject = this.#containers.isInObject;
    if (byte === COMMA) this.#state = inObject ? NEXT_KEY : VALUE;
    else if (byte === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) this.#closeContainer(offset);
    else throw new JsonTextError(inObject ? 'expected "," or "}"' : 'expected "," or "]"', offset);
  }

  #endValue(end: number): void {
    const { depth } = this.#containers;
    if (depth === 0) {
      this.#outline.endValue(end);
      this.#state = DONE;
      return;
    }
    if (depth === 1) this.#outline.endPart(end);
    this.#state = AFTER_VALUE;
  }

  #scanKey(piece: Buffer, from: number, to: number, base: number): number {
    const end = this.#string.scan(piece, from, to, base);
    if (this.#containers.depth === 1) {
      if (end === -1) this.#outline.keepKeyHead(piece, from, to);
      else this.#outline.endKey(piece, from, end - 1, base);
    }
    if (end === -1) return to;
    const isColonNext = end < to && piece[end] === COLON;
    this.#state = isColonNext ? VALUE : AFTER_KEY;
    return isColonNext ? end + 1 : end;
  }

  #scanString(piece: Buffer, from: number, to: number, base: number): number {
    const end = this.#string.scan(piece, from, to, base);
    if (end === -1) return to;
    this.#endValue(base + end);
    return end;
  }

  #scanLiteral(piece: Buffer, from: number, to: number, base: number): number {
    let at = from;
    while (at < to) {
      const state = nextLiteralState(this.#state, piece[at]!);
      if (state === undefined) throw new JsonTextError('unknown literal', base + at);
      this.#state = state;
      at++;
      if (!endsLiteral(state)) continue;
      this.#endValue(base + at);
      break;
    }
    return at;
  }

  #scanNumber(piece: Buffer, from: number, to: number, base: number): number {
    let state = this.#state;
    for (let at = from; at < to; at++) {
      const next = nextNumberState(state, piece[at]!);
      if (next === undefined) {
        if (!endsNumber(state)) throw new JsonTextError('bad number', base + at);
        this.#endValue(base + at);
        return at;
      }
      state = next;
    }
    this.#state = state;
    return to;
  }
}

/** Returns a scanner for texts of peers, with all limits. */
export function scannerForPeer(): JsonScanner {
  return new JsonScanner(DEFAULT_MAX_DEPTH, MAX_PARTS, MAX_MEMBERS);
}

function kindOf(byte: number): Outline['kind'] {
  if (byte === OPEN_BRACE) return 'object';
  return byte === OPEN_BRACKET ? 'array' : 'scalar';
}

function firstScalarState(byte: number, offset: number): number {
  const state = firstNumberState(byte) ?? firstLiteralState(byte);
  if (state === undefined) throw new JsonTextError('expected a value', offset);
  return state;
}
