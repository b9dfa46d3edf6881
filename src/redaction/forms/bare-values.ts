import { endOfMatch } from '../../core/text/sticky.ts';
import { trimmedEnd } from '../../core/text/trimmed.ts';
import type { Span } from '../spans.ts';

/** A character of a value without quotation marks. */
export const BARE = String.raw`[^\s"'\x60,;<>{}\\]`;

const RUN = new RegExp(`${BARE}+`, 'y');
const MAX_LENGTH = 512;
/** The depth to which nested values are read to the end of their run: in `a=b=c`, the value of `a` contains another one. */
const MAX_NESTED = 16;
const MARKS = '.,:!?)]';

/**
 * Reads the values of one text that are not quoted. Of many assignments in one run of characters, each value would reach to the
 * end of the run; after some, a value ends before the next sign, so that the work stays in proportion to the text.
 */
export class BareValues {
  readonly #text: string;
  #run: Span = { start: 0, end: 0 };
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the value at `at`, of a name that begins at `name`. Calls are made from left to right. */
  at(at: number, name: number): Span {
    const isNested = at < this.#run.end;
    this.#count = isNested ? this.#count + 1 : 0;
    if (!isNested) this.#run = { start: at, end: this.#endOfRun(at) };
    const end = Math.min(this.#run.end, at + MAX_LENGTH);
    const value = this.#text.slice(at, this.#ownEnd(at, end, name));
    // Without the punctuation of the sentence around it.
    return { start: at, end: at + trimmedEnd(value, MARKS).length };
  }

  #endOfRun(at: number): number {
    return endOfMatch(RUN, this.#text, at) ?? at;
  }

  /** Returns the end of the value. In the query of a URL it ends with its parameter. */
  #ownEnd(at: number, end: number, name: number): number {
    const before = this.#text[name - 1];
    const isParameter = before === '?' || before === '&';
    if (!isParameter && this.#count < MAX_NESTED) return end;
    for (let next = at; next < end; next++) {
      const character = this.#text[next]!;
      if (isParameter && character === '&') return next;
      if (this.#count >= MAX_NESTED && next > at && (character === '=' || character === ':')) return next;
    }
    return end;
  }
}
