import { TextRing } from '../core/ring.ts';
import type { Log } from '../telemetry/log.ts';

const KEPT_CHARACTERS = 64 * 1024;
const SHOWN = 10;
const LINES_PER_SECOND = 100;
const CHARACTERS_PER_SECOND = 32 * 1024;

/** What an upstream writes to standard error: the newest lines for status, and a bounded number a second for the log. */
export class StderrTail {
  readonly #log: Log;
  readonly #mask: (text: string) => string;
  readonly #lines = new TextRing(KEPT_CHARACTERS);
  #second = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #characters = 0;
  #left = 0;

  /** `mask` hides secrets in the lines. */
  constructor(log: Log, mask: (text: string) => string) {
    this.#log = log;
    this.#mask = mask;
  }

  push(line: string): void {
    this.#lines.push(line);
    if (!this.#log.isLevelEnabled('debug')) return;
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#begin(second);
    this.#characters += line.length;
    const hasRoom = this.#logged < LINES_PER_SECOND && this.#characters <= CHARACTERS_PER_SECOND;
    if (!hasRoom) this.#left++;
    else {
      this.#logged++;
      this.#log.debug({ event: 'stderr', line }, 'stderr');
    }
  }

  /** The newest lines, oldest first. */
  last(): string[] {
    return this.#lines.last(SHOWN).map(this.#mask);
  }

  #begin(second: number): void {
    if (this.#left > 0)
      this.#log.debug({ event: 'stderr-dropped', lines: this.#left }, 'lines of stderr were left out');
    this.#second = second;
    this.#logged = 0;
    this.#characters = 0;
    this.#left = 0;
  }
}
