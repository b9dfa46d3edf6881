import { cutText } from '../../core/text/clean-text.ts';

/** Keeps the newest lines of a text stream within a number of characters. */
export class TextRing {
  readonly #maxCharacters: number;
  #lines: string[] = [];
  #size = 0;
  #dropped = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  push(line: string): void {
    const kept = cutText(line, this.#maxCharacters);
    this.#lines.push(kept);
    this.#size += kept.length;
    while (this.#size > this.#maxCharacters && this.#lines.length > 1) {
      this.#size -= this.#lines.shift()!.length;
      this.#dropped++;
    }
  }

  /** Returns the newest lines, oldest first. */
  last(count: number): string[] {
    return this.#lines.slice(-count);
  }

  /** Lines that were pushed out. */
  get dropped(): number {
    return this.#dropped;
  }
}
