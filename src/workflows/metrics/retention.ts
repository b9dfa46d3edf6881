import type { EventStore } from '../../core/stores/event-store.ts';
import type { Log } from '../../telemetry/log.ts';
import { exportMetrics } from './export-metrics.ts';

const PRUNE_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

export interface RetentionOptions {
  readonly store: EventStore;
  readonly keepDays: number;
  /** The folder of the files by day, if each event is to be written to one. */
  readonly folder: string | undefined;
  readonly log: Log;
}

/** Removes events that are older than they are kept, now and then while others are recorded, and behind these. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stop = new AbortController();
  #pruning: Promise<void> = Promise.resolve();
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  onRecorded(): void {
    if (this.#stop.signal.aborted || performance.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = performance.now();
    this.#pruning = this.#prune();
  }

  /** Operations under way end soon. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#pruning;
  }

  async #prune(): Promise<void> {
    const { store, keepDays, folder, log } = this.#options;
    const { signal } = this.#stop;
    const keepMs = keepDays * DAY_MS;
    try {
      // Those that could not be written when they were recorded: there is no other copy of them.
      if (folder !== undefined) await exportMetrics(store, folder, { until: Date.now() - keepMs, signal });
      if (!signal.aborted) await store.expire('metric', keepMs);
    } catch (error) {
      if (!signal.aborted) log.warn({ error }, 'old events cannot be removed now');
    }
  }
}
