import type { Log } from './log.ts';

const LINES_PER_SECOND = 20;

/** One log line for each request that is turned away, within bounds: what is left out is counted. */
export class RefusalLog {
  readonly #log: Log;
  #second: NodeJS.Timeout | undefined;
  #written = 0;
  #leftOut = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** `reason` must not contain what the request said: it may hold secrets. */
  note(status: number, reason: string): void {
    if (this.#second === undefined) this.#second = setTimeout(() => this.#endSecond(), 1_000).unref();
    if (this.#written >= LINES_PER_SECOND) this.#leftOut++;
    else {
      this.#written++;
      this.#log.warn({ event: 'refused', status, reason }, 'a request was refused');
    }
  }

  #endSecond(): void {
    const leftOut = this.#leftOut;
    this.#second = undefined;
    this.#written = 0;
    this.#leftOut = 0;
    if (leftOut > 0) this.#log.warn({ event: 'refused', leftOut }, 'more requests were refused than are logged');
  }
}
