import type { Log } from '../../telemetry/log.ts';

const KEPT_SAMPLES = 3;
const LOG_EVERY_MS = 1_000;

export interface FaultCounts {
  /** Lines on standard output, bodies and events that were no messages. */
  readonly noise: number;
  readonly noiseSamples: readonly string[];
  readonly oversized: number;
  readonly unknownIds: number;
  readonly unknownTokens: number;
  /** Notifications that were not passed on to clients, because there were too many. */
  readonly leftOut: number;
  /** Messages that were not sent to it, because it does not read. */
  readonly unread: number;
}

/** Harmless faults of a peer: counted, shown in status, and logged at most once a second. */
export class PeerFaults {
  readonly #log: Log;
  readonly #mask: (text: string) => string;
  #noise = 0;
  #oversized = 0;
  #unknownIds = 0;
  #unknownTokens = 0;
  #leftOut = 0;
  #unread = 0;
  readonly #samples: string[] = [];
  #loggedAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  /** `mask` hides secrets in samples. */
  constructor(log: Log, mask: (text: string) => string) {
    this.#log = log;
    this.#mask = mask;
  }

  noise(reason: string, sample: string): void {
    this.#noise++;
    if (this.#samples.length < KEPT_SAMPLES) this.#samples.push(this.#mask(sample));
    this.#report({ event: 'noise', reason, sample }, 'it sent data that is not a message; the data was skipped');
  }

  oversized(bytes: number): void {
    this.#oversized++;
    this.#report({ event: 'oversized', bytes }, 'a message was over limits.frameBytes; it was skipped');
  }

  /** An answer to nothing we asked, or to something that was cancelled or timed out. */
  unknownId(): void {
    this.#unknownIds++;
  }

  unknownToken(): void {
    this.#unknownTokens++;
  }

  leftOut(): void {
    this.#leftOut++;
    this.#report({ event: 'left-out' }, 'too many notifications; some were not passed on to clients');
  }

  unread(): void {
    this.#unread++;
    this.#report({ event: 'unread' }, 'it does not read its input; messages were dropped');
  }

  counts(): FaultCounts {
    return {
      noise: this.#noise,
      noiseSamples: [...this.#samples],
      oversized: this.#oversized,
      unknownIds: this.#unknownIds,
      unknownTokens: this.#unknownTokens,
      leftOut: this.#leftOut,
      unread: this.#unread,
    };
  }

  #report(fields: object, message: string): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_EVERY_MS) {
      this.#unlogged++;
      return;
    }
    this.#log.warn({ ...fields, ...(this.#unlogged > 0 && { moreSinceLastLine: this.#unlogged }) }, message);
    this.#loggedAt = now;
    this.#unlogged = 0;
  }
}
