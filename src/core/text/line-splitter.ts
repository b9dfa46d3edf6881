import { StringDecoder } from 'node:string_decoder';
import { cutText } from './clean-text.ts';

const MAX_LINE = 4096;
/** Also where the last character is a carriage return, which is no part of a line. */
const TOO_LONG = MAX_LINE + 2;

/**
 * Cuts text output into lines for people to read. Of a line over 4,096 characters the rest is left out: nothing is kept
 * without bound, and a secret that lies across the cut cannot be put together from two lines.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  /** The line that has not ended yet, as far as it is shown. */
  #line = '';
  /** True if it is longer than the part that is shown, and was delivered already. */
  #isGiven = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const [first = '', ...lines] = this.#decoder.write(chunk).split('\n');
    this.#hold(first);
    for (const line of lines) {
      this.#endLine();
      this.#hold(line);
    }
  }

  end(): void {
    this.#hold(this.#decoder.end());
    this.#endLine();
  }

  #hold(text: string): void {
    if (this.#isGiven) return;
    this.#line += text.slice(0, TOO_LONG - this.#line.length);
    if (this.#line.length < TOO_LONG) return;
    this.#give(this.#line);
    this.#isGiven = true;
  }

  #endLine(): void {
    if (!this.#isGiven) this.#give(this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line);
    this.#line = '';
    this.#isGiven = false;
  }

  #give(line: string): void {
    if (line !== '') this.#onLine(cutText(line, MAX_LINE));
  }
}
