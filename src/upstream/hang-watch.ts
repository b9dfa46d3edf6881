/** So many calls in a row without an answer, and nothing else heard meanwhile, look like a process that hangs. */
const SUSPICIOUS_TIMEOUTS = 3;
/** So long it has to answer a ping before it counts as hung, in milliseconds. */
const PONG_MS = 5_000;

export interface HangWatchHost {
  /** Asks for a sign of life; rejects when none comes within `ms`. */
  ping(ms: number): Promise<unknown>;
  onHung(reason: string): void;
}

/**
 * Tells a slow upstream from one that hangs (a blocked event loop, a stopped process): after several calls that ran
 * into their limits it is asked for a sign of life. Anything it sends is one.
 */
export class HangWatch {
  readonly #host: HangWatchHost;
  #timeouts = 0;
  #isAsking = false;
  #signs = 0;

  constructor(host: HangWatchHost) {
    this.#host = host;
  }

  /** Something arrived. */
  onSign(): void {
    this.#timeouts = 0;
    this.#signs++;
  }

  /** A call was not answered in time. */
  onTimeout(): void {
    if (++this.#timeouts >= SUSPICIOUS_TIMEOUTS && !this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const before = this.#signs;
    try {
      await this.#host.ping(PONG_MS);
    } catch {
      if (this.#signs === before) {
        this.#host.onHung(
          `it hangs: ${this.#timeouts} calls in a row ran into their limit, and a ping within ${PONG_MS / 1000} s`,
        );
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
