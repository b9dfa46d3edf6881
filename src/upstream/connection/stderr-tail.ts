import type { ClientFacts } from '../../core/providers/provider.ts';
import { lastWordsOf } from '../../core/refusals/last-words.ts';
import type { Log } from '../../telemetry/log.ts';
import { TextRing } from './ring.ts';

const KEPT_CHARACTERS = 64 * 1024;
const SHOWN = 10;
const LINES_PER_SECOND = 100;
const CHARACTERS_PER_SECOND = 32 * 1024;

/** An upstream's standard error: keeps the newest lines for status, and logs a bounded number of lines a second. */
export class StderrTail {
  readonly #log: Log;
  readonly #mask: (text: string) => string;
  readonly #lines = new TextRing(KEPT_CHARACTERS);
  /** Lines since the process was started. */
  #ofAttempt = 0;
  /** The process was connected: what it writes from then on may be about clients' calls. */
  #wasConnected = false;
  #second = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #characters = 0;
  #left = 0;

  /** `mask` hides secrets in the lines. */
  constructor(log: Log, mask: (text: string) => string) {
    this.#log = log;
    this.#mask = mask;
  }

  /** Called when another process is being started. */
  onStarting(): void {
    this.#ofAttempt = 0;
    this.#wasConnected = false;
  }

  onConnected(): void {
    this.#wasConnected = true;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#ofAttempt++;
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

  /** Returns the newest lines, oldest first. */
  last(): string[] {
    return this.#lines.last(SHOWN).map(this.#mask);
  }

  /** Returns the newest lines of the process that was started last. */
  lastOfAttempt(): string[] {
    const count = Math.min(this.#ofAttempt, SHOWN);
    return count === 0 ? [] : this.#lines.last(count).map(this.#mask);
  }

  /** The same where no client's call can be in them: the process was not connected since it was started. */
  lastOfStart(): string[] {
    return this.#wasConnected ? [] : this.lastOfAttempt();
  }

  /** Quotes the last lines for a client: all of them for this user's own programs, for others those of the start. */
  wordsFor({ principal }: Pick<ClientFacts, 'principal'>): string {
    return lastWordsOf(principal ? this.lastOfStart() : this.lastOfAttempt());
  }

  /** The process has ended, or cannot be started: its last lines are logged, at any log level. */
  logLast(upstream: string): void {
    const lines = this.lastOfAttempt();
    if (lines.length > 0)
      this.#log.warn({ event: 'last-words', stderr: lines }, `what ${upstream} wrote last to its standard error`);
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
