import { setImmediate as nextTurn } from 'node:timers/promises';

/** The time that the peer has to answer a ping after a call that ran into its limit, in milliseconds. */
const PONG_MS = 5_000;
/** The silence after which the peer is pinged if no call is open, in milliseconds. */
export const IDLE_LOOK_MS = 15_000;
/** The time that the peer has to answer a ping if no call is open, in milliseconds: it may be busy with work of its own. */
export const IDLE_PONG_MS = 30_000;

export interface HangWatchHost {
  /** Asks for a sign of life; rejects when none comes within `ms`. An error answer is a sign of life too. */
  ping(ms: number): Promise<unknown>;
  /** Returns true if requests to the peer are unanswered, not counting pings. */
  hasOpenRequests(): boolean;
  onHung(reason: string): void;
}

/**
 * Tells a slow upstream from one that hangs (a blocked event loop, a stopped process).
 *
 * While calls are open, it suspects nothing before one of them has passed its limit without anything being heard
 * meanwhile: a tool may block its server for as long as its call may take. Then one ping decides. While no call is
 * open, it pings a silent peer now and then; a peer that has never answered a ping is not judged by that.
 */
export class HangWatch {
  readonly #host: HangWatchHost;
  #isAsking = false;
  #answersPings = false;
  #lastSignAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(host: HangWatchHost) {
    this.#host = host;
  }

  /** Starts to ping the peer while no call is open. Call `stop` when the connection ends. */
  watchWhileIdle(): void {
    this.#timer ??= setInterval(() => this.#lookWhileIdle(), IDLE_LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Called when something has arrived. */
  onSign(): void {
    this.#lastSignAt = performance.now();
  }

  /** A call was not answered within `afterMs`. */
  onTimeout(afterMs: number): void {
    if (this.#isAsking || this.#silentMs() < afterMs) return;
    void this.#ask(PONG_MS, `it hangs: nothing came for ${seconds(afterMs)}, and no answer to a ping`);
  }

  #lookWhileIdle(): void {
    if (this.#isAsking || this.#host.hasOpenRequests() || this.#silentMs() < IDLE_LOOK_MS) return;
    void this.#ask(IDLE_PONG_MS, 'it hangs: no call is open, and it does not answer pings', () => {
      // A call that came meanwhile may be what keeps it busy: its own limit decides.
      return this.#answersPings && !this.#host.hasOpenRequests();
    });
  }

  async #ask(ms: number, reason: string, mayJudge: () => boolean = () => true): Promise<void> {
    this.#isAsking = true;
    const askedAt = performance.now();
    try {
      await this.#host.ping(ms);
      this.#answersPings = true;
    } catch {
      // Messages that arrived while this process was busy itself are read first.
      await nextTurn();
      if (this.#lastSignAt < askedAt && mayJudge()) this.#host.onHung(`${reason} within ${seconds(ms)}`);
    } finally {
      this.#isAsking = false;
    }
  }

  #silentMs(): number {
    return performance.now() - this.#lastSignAt;
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
