import { JsonTextError } from '../json-error.ts';
import { ESCAPABLE, isHex, isLineBreak, isWhitespace } from './characters.ts';
import { decodeKey, keyAt } from './keys.ts';
import { CHECKED_STRING_BYTES, DEFAULT_MAX_DEPTH, MAX_MEMBERS, MAX_PARTS } from './limits.ts';
import { endsNumber, firstNumberState, nextNumberState } from './number-grammar.ts';
import type { Member, Outline } from './outline.ts';
import { BACKSLASH, closingQuote, controlCharacterIn, isEscaped, QUOTE } from './string-search.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_U = 0x75;

const VALUE = 0;
const FIRST_ELEMENT = 1;
const FIRST_KEY = 2;
const NEXT_KEY = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;
const STRING = 6;
const ESCAPE = 7;
const HEX = 8;
const LITERAL = 9;
const DONE = 18;

const CONTROL_CHARACTER = 'control character in a string';

const LITERALS: ReadonlyMap<number, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);

/**
 * Reads JSON text (RFC 8259, UTF-8) piece by piece, keeps the spans of the outermost container's parts and builds no
 * values. It accepts what `JSON.parse` accepts up to `maxDepth` levels, `maxParts` parts of the outermost value and
 * `maxMembers` members of each object inside it, and nothing else but bad escapes far inside long strings
 * (`CHECKED_STRING_BYTES`). Pieces may be cut anywhere, so a large frame is scanned while it arrives.
 */
export class JsonScanner {
  readonly #maxDepth: number;
  readonly #maxParts: number;
  readonly #maxMembers: number;
  /** 1 for an object, 0 for an array, one entry a level. */
  readonly #containers: Uint8Array;
  /** The members of the open object so far, one entry a level. */
  readonly #memberCounts: Uint32Array;
  #members: Member[] = [];
  #kind: Outline['kind'] = 'scalar';
  #state = VALUE;
  #hasLineBreaks = false;
  #depth = 0;
  #length = 0;
  /** The present piece: the offset of its indices, its beginning and its end. */
  #base = 0;
  #from = 0;
  #to = 0;
  #start = 0;
  #end = 0;
  #inKey = false;
  #key = '';
  #keyStart = 0;
  #keyEnd = 0;
  #valueStart = 0;
  #hexLeft = 0;
  #checkLeft = 0;
  #literal = '';
  #literalIndex = 0;

  constructor(
    maxDepth: number = DEFAULT_MAX_DEPTH,
    maxParts = Number.POSITIVE_INFINITY,
    maxMembers = Number.POSITIVE_INFINITY,
  ) {
    this.#maxDepth = maxDepth;
    this.#maxParts = maxParts;
    this.#maxMembers = maxMembers;
    this.#containers = new Uint8Array(maxDepth + 1);
    this.#memberCounts = new Uint32Array(maxDepth + 1);
  }

  /** Returns a scanner for texts of peers, with all limits. */
  static forPeer(): JsonScanner {
    return new JsonScanner(DEFAULT_MAX_DEPTH, MAX_PARTS, MAX_MEMBERS);
  }

  /** Forgets everything: the next `push` begins a new text, whose spans are counted from `offset`. */
  reset(offset = 0): void {
    this.#members = [];
    this.#kind = 'scalar';
    this.#state = VALUE;
    this.#hasLineBreaks = false;
    this.#depth = 0;
    this.#length = offset;
    this.#inKey = false;
    this.#key = '';
    this.#keyStart = this.#keyEnd = 0;
  }

  /**
   * Scans the next piece of the text: `piece` from `from` to `to`.
   * @throws JsonTextError at the first byte at which the text so far cannot be JSON.
   */
  push(piece: Buffer, from = 0, to = piece.length): void {
    const base = this.#length - from;
    this.#base = base;
    this.#from = from;
    this.#to = to;
    this.#length += to - from;
    let at = from;
    // Runs of one state are consumed by their own loops; this switch is entered once a token, not once a byte.
    while (at < to) {
      switch (this.#state) {
        case STRING:
          at = this.#scanString(piece, at);
          break;
        case ESCAPE:
          at = this.#scanEscape(piece, at);
          break;
        case HEX:
          if (!isHex(piece[at]!)) this.#fail('bad \\u escape', base + at);
          if (--this.#hexLeft === 0) this.#state = STRING;
          at++;
          break;
        case LITERAL:
          if (piece[at] !== this.#literal.charCodeAt(this.#literalIndex)) this.#fail('unknown literal', base + at);
          at++;
          if (++this.#literalIndex === this.#literal.length) this.#endValue(base + at);
          break;
        case DONE:
          if (!isWhitespace(piece[at]!)) this.#fail('text after the end', base + at);
          at++;
          break;
        default:
          at = this.#state < STRING ? this.#scanStructure(piece, at) : this.#scanNumber(piece, at);
      }
    }
    if (this.#inKey && this.#depth === 1) this.#keepKeyHead(piece);
  }

  /** Nothing but white space has been seen. */
  get isBlank(): boolean {
    return this.#depth === 0 && this.#state === VALUE;
  }

  /** The outermost container is closed, or the outermost string or literal ended. */
  get isDone(): boolean {
    return this.#state === DONE;
  }

  /** A container is open. */
  get isInside(): boolean {
    return this.#depth > 0;
  }

  /** The parts of the outermost value that have ended so far. */
  get parts(): readonly Member[] {
    return this.#members;
  }

  /**
   * Ends the text and gives what was found.
   * @throws JsonTextError when the text stops before its value does.
   */
  finish(): Outline {
    if (this.#depth === 0 && endsNumber(this.#state)) this.#endValue(this.#length);
    if (this.#state !== DONE) this.#fail('text ends early', this.#length);
    return {
      kind: this.#kind,
      start: this.#start,
      end: this.#end,
      hasLineBreaks: this.#hasLineBreaks,
      members: this.#members,
    };
  }

  #fail(reason: string, offset: number): never {
    throw new JsonTextError(reason, offset);
  }

  /** Punctuation and the first byte of values, until a string, number or literal begins or the text is done. */
  #scanStructure(piece: Buffer, from: number): number {
    const to = this.#to;
    const base = this.#base;
    let at = from;
    while (at < to && this.#state < STRING) {
      const byte = piece[at]!;
      if (!isWhitespace(byte)) this.#punctuate(byte, base + at);
      // In front of the value it is not part of it.
      else if (isLineBreak(byte) && this.#depth > 0) this.#hasLineBreaks = true;
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
        if (byte !== COLON) this.#fail('expected ":"', offset);
        this.#state = VALUE;
        break;
      case VALUE:
      case FIRST_ELEMENT:
        this.#beginValue(byte, offset);
        break;
      default:
        if (byte === QUOTE) this.#beginKey(offset);
        else if (byte === CLOSE_BRACE && this.#state === FIRST_KEY) this.#closeContainer(offset);
        else this.#fail('expected a key', offset);
    }
  }

  #scanString(piece: Buffer, from: number): number {
    const to = this.#to;
    const checkedEnd = Math.min(to, from + this.#checkLeft);
    let at = from;
    let byte = 0;
    while (at < checkedEnd) {
      byte = piece[at]!;
      if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
      at++;
    }
    this.#checkLeft -= at - from;
    if (at === checkedEnd) return at < to ? this.#hopString(piece, at) : at;
    if (byte === QUOTE) this.#endString(piece, at);
    else if (byte === BACKSLASH) this.#state = ESCAPE;
    else this.#fail(CONTROL_CHARACTER, this.#base + at);
    return at + 1;
  }

  /** Takes the rest of a long string: its end, and control characters, are found in a fifth of the time of a look at each byte. */
  #hopString(piece: Buffer, from: number): number {
    const to = this.#to;
    const end = closingQuote(piece, from, to);
    const control = controlCharacterIn(piece, from, end);
    if (control !== -1) this.#fail(CONTROL_CHARACTER, this.#base + control);
    if (end < to) {
      this.#endString(piece, end);
      return end + 1;
    }
    if (isEscaped(piece, from, end)) this.#state = ESCAPE;
    return end;
  }

  #scanEscape(piece: Buffer, at: number): number {
    const byte = piece[at]!;
    this.#state = STRING;
    if (this.#checkLeft === 0) {
      if (byte < 0x20) this.#fail(CONTROL_CHARACTER, this.#base + at);
      return at + 1;
    }
    if (byte === LOWER_U) {
      this.#hexLeft = 4;
      this.#state = HEX;
    } else if (!ESCAPABLE.has(byte)) this.#fail('bad escape in a string', this.#base + at);
    return at + 1;
  }

  #endString(piece: Buffer, at: number): void {
    const base = this.#base;
    if (!this.#inKey) {
      this.#endValue(base + at + 1);
      return;
    }
    if (this.#depth === 1) {
      const start = this.#keyStart + 1 - base;
      const isWhole = start >= this.#from;
      this.#key = isWhole ? keyAt(piece, start, at) : decodeKey(this.#key + piece.latin1Slice(this.#from, at));
      this.#keyEnd = base + at + 1;
    }
    this.#inKey = false;
    this.#state = AFTER_KEY;
  }

  /** The piece ends inside a key that we keep: its bytes so far will not be there any more when it ends. */
  #keepKeyHead(piece: Buffer): void {
    this.#key += piece.latin1Slice(Math.max(this.#keyStart + 1 - this.#base, this.#from), this.#to);
  }

  #beginKey(offset: number): void {
    this.#inKey = true;
    this.#state = STRING;
    // Keys are read as strings later, so they are checked to their ends.
    this.#checkLeft = Number.MAX_SAFE_INTEGER;
    if (this.#depth === 1) {
      this.#key = '';
      this.#keyStart = offset;
    } else if (++this.#memberCounts[this.#depth]! > this.#maxMembers) {
      this.#fail(`an object with more than ${this.#maxMembers} members`, offset);
    }
  }

  #beginString(): void {
    this.#state = STRING;
    this.#checkLeft = CHECKED_STRING_BYTES;
  }

  #beginValue(byte: number, offset: number): void {
    if (byte === CLOSE_BRACKET && this.#state === FIRST_ELEMENT) {
      this.#closeContainer(offset);
      return;
    }
    if (this.#depth === 1) this.#valueStart = offset;
    else if (this.#depth === 0) this.#start = offset;
    if (byte === QUOTE) this.#beginString();
    else if (byte === OPEN_BRACE) this.#openContainer(1, FIRST_KEY, offset);
    else if (byte === OPEN_BRACKET) this.#openContainer(0, FIRST_ELEMENT, offset);
    else this.#state = firstNumberState(byte) ?? this.#beginLiteral(byte, offset);
  }

  #beginLiteral(byte: number, offset: number): number {
    const literal = LITERALS.get(byte);
    if (literal === undefined) this.#fail('expected a value', offset);
    this.#literal = literal;
    this.#literalIndex = 1;
    return LITERAL;
  }

  #openContainer(kind: 0 | 1, state: number, offset: number): void {
    if (this.#depth === 0) this.#kind = kind === 1 ? 'object' : 'array';
    if (this.#depth === this.#maxDepth) this.#fail(`nested deeper than ${this.#maxDepth} levels`, offset);
    this.#depth++;
    this.#containers[this.#depth] = kind;
    this.#memberCounts[this.#depth] = 0;
    this.#state = state;
  }

  #closeContainer(offset: number): void {
    this.#depth--;
    this.#endValue(offset + 1);
  }

  #afterValue(byte: number, offset: number): void {
    const inObject = this.#containers[this.#depth] === 1;
    if (byte === COMMA) this.#state = inObject ? NEXT_KEY : VALUE;
    else if (byte === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) this.#closeContainer(offset);
    else this.#fail(inObject ? 'expected "," or "}"' : 'expected "," or "]"', offset);
  }

  #endValue(end: number): void {
    if (this.#depth === 0) {
      this.#end = end;
      this.#state = DONE;
      return;
    }
    if (this.#depth === 1) this.#keepMember(end);
    this.#state = AFTER_VALUE;
  }

  #keepMember(end: number): void {
    if (this.#members.length === this.#maxParts) this.#fail(`more than ${this.#maxParts} members or elements`, end);
    const keyed = this.#kind === 'object';
    this.#members.push({
      key: keyed ? this.#key : '',
      keyStart: keyed ? this.#keyStart : this.#valueStart,
      keyEnd: keyed ? this.#keyEnd : this.#valueStart,
      start: this.#valueStart,
      end,
    });
  }

  #scanNumber(piece: Buffer, from: number): number {
    const to = this.#to;
    let state: number | undefined = this.#state;
    let at = from;
    while (at < to) {
      state = nextNumberState(this.#state, piece[at]!);
      if (state === undefined) break;
      this.#state = state;
      at++;
    }
    if (at < to) {
      if (!endsNumber(this.#state)) this.#fail('bad number', this.#base + at);
      this.#endValue(this.#base + at);
    }
    return at;
  }
}
