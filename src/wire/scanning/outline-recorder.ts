import { JsonTextError } from '../json-error.ts';
import { decodeKey, keyAt } from './keys.ts';
import type { Member, Outline } from './outline.ts';

/** Records the outermost value of a text and its direct parts, as a scanner comes across them. */
export class OutlineRecorder {
  readonly #maxParts: number;
  #kind: Outline['kind'] = 'scalar';
  #start = 0;
  #end = 0;
  #hasLineBreaks = false;
  #members: Member[] = [];
  #key = '';
  #keyStart = 0;
  #keyEnd = 0;
  #partStart = 0;

  constructor(maxParts: number) {
    this.#maxParts = maxParts;
  }

  /** The parts that have ended so far. */
  get members(): readonly Member[] {
    return this.#members;
  }

  reset(): void {
    this.#kind = 'scalar';
    this.#hasLineBreaks = false;
    this.#members = [];
  }

  /** Returns the outline of a text whose value has ended. */
  finish(): Outline {
    return {
      kind: this.#kind,
      start: this.#start,
      end: this.#end,
      hasLineBreaks: this.#hasLineBreaks,
      members: this.#members,
    };
  }

  /** The outermost value begins at `offset`. */
  beginValue(kind: Outline['kind'], offset: number): void {
    this.#kind = kind;
    this.#start = offset;
  }

  endValue(end: number): void {
    this.#end = end;
  }

  /** A line break stands between two tokens of the value. */
  noteLineBreak(): void {
    this.#hasLineBreaks = true;
  }

  /** The key of a part begins with its quote at `offset`. */
  beginKey(offset: number): void {
    this.#key = '';
    this.#keyStart = offset;
  }

  /** Keeps what a piece has of a key that goes on in the next one: `piece` from `from` to `to`. */
  keepKeyHead(piece: Buffer, from: number, to: number): void {
    this.#key += piece.latin1Slice(from, to);
  }

  /** The key ends with the quote at `at`; what this piece has of it begins at `from`. */
  endKey(piece: Buffer, from: number, at: number, base: number): void {
    const start = this.#keyStart + 1 - base;
    this.#key = start >= from ? keyAt(piece, start, at) : decodeKey(this.#key + piece.latin1Slice(from, at));
    this.#keyEnd = base + at + 1;
  }

  /** The value of a part begins at `offset`. */
  beginPart(offset: number): void {
    this.#partStart = offset;
  }

  /** @throws JsonTextError when there are too many parts */
  endPart(end: number): void {
    if (this.#members.length === this.#maxParts)
      throw new JsonTextError(`more than ${this.#maxParts} members or elements`, end);
    const keyed = this.#kind === 'object';
    this.#members.push({
      key: keyed ? this.#key : '',
      keyStart: keyed ? this.#keyStart : this.#partStart,
      keyEnd: keyed ? this.#keyEnd : this.#partStart,
      start: this.#partStart,
      end,
    });
  }
}
