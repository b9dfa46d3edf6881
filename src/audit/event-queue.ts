import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore, NewEvent } from '../core/stores/event-store.ts';
import { coalesce } from '../core/timing/coalesce.ts';
import type { Log } from '../telemetry/log.ts';
import type { BatchedCall } from './batch.ts';

/** The time after which calls are stored, in milliseconds from the first of them. Until then, they are only in the file. */
const STORE_AFTER_MS = 1_000;
/**
 * The pause after a transaction, as a multiple of its duration. A transaction blocks everything for some milliseconds;
 * if more events wait than fit into one, this leaves 97 of 100 milliseconds to the calls themselves.
 */
const PAUSE_FACTOR = 30;
const LONGEST_PAUSE_MS = 250;
/** Rows of one transaction: a power of two, for which the store has a statement ready. */
const BATCH = 128;
/**
 * The number of calls that wait while the store cannot be used or does not keep up. Further ones are left out; the file
 * has them.
 */
const MAX_WAITING = 16_384;
/** The longest time that the gateway waits for the store when it stops, in milliseconds. */
const LAST_MS = 3_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

export interface EventQueueOptions {
  /** Opened by its first use. */
  readonly store: EventStore;
  readonly close: () => Promise<void>;
  readonly keepDays: number;
  readonly log: Log;
}

/** Brings calls into the event store, behind them and never in their way. */
export class EventQueue {
  keepDays: number;
  readonly #options: EventQueueOptions;
  readonly #store = coalesce(() => this.#storeNext());
  #waiting: BatchedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #isClosing = false;
  #isFailing = false;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    this.keepDays = options.keepDays;
  }

  add(calls: readonly BatchedCall[]): void {
    const room = MAX_WAITING - this.#waiting.length;
    this.#dropped += Math.max(0, calls.length - room);
    for (const call of calls.slice(0, Math.max(0, room))) this.#waiting.push(call);
    this.#storeAfter(STORE_AFTER_MS);
  }

  /** Begins to store what waits: the gateway is about to stop. */
  hurry(): void {
    void this.#storeAll();
  }

  /** Stores what waits, if that can be done soon. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    await soon(this.#storeAll());
    this.#noteDropped(this.#waiting.length);
    this.#waiting = [];
    await soon(this.#options.close());
  }

  #storeAfter(ms: number): void {
    if (this.#isClosing) return;
    this.#timer ??= setTimeout(() => void this.#onTimer(), ms).unref();
  }

  async #onTimer(): Promise<void> {
    const begun = performance.now();
    const isStored = await this.#store();
    const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_FACTOR * (performance.now() - begun));
    this.#timer = undefined;
    if (this.#waiting.length > 0) this.#storeAfter(isStored ? pauseMs : STORE_AFTER_MS);
  }

  /** Stores all waiting events, including those already being stored. */
  async #storeAll(): Promise<void> {
    let isStored: boolean;
    do isStored = await this.#store();
    while (isStored && this.#waiting.length > 0);
  }

  /**
   * Stores the next events. Those that cannot be stored stay in the queue and are tried again. Never throws; resolves
   * with true if it succeeded.
   */
  async #storeNext(): Promise<boolean> {
    if (this.#waiting.length === 0) return true;
    try {
      await this.#storeSome();
      await this.#prune();
      this.#isFailing = false;
      if (this.#waiting.length === 0) this.#noteDropped(0);
      return true;
    } catch (error) {
      if (!this.#isFailing)
        this.#options.log.warn(
          { event: 'audit-store', error },
          'calls cannot be stored; the file of the audit has them',
        );
      this.#isFailing = true;
      return false;
    }
  }

  async #storeSome(): Promise<void> {
    const batch = this.#waiting.slice(0, BATCH);
    await this.#options.store.add(batch.map(eventOf));
    // Not before: what is under way when the gateway stops, and has no end, is missing as well.
    this.#waiting.splice(0, batch.length);
  }

  async #prune(): Promise<void> {
    if (performance.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = performance.now();
    try {
      await this.#options.store.expire('audit', this.keepDays * DAY_MS);
    } catch (error) {
      this.#options.log.warn({ event: 'audit-store', error }, 'old calls cannot be removed now');
    }
  }

  #noteDropped(more: number): void {
    const calls = this.#dropped + more;
    this.#dropped = 0;
    if (calls === 0) return;
    this.#options.log.warn(
      { event: 'audit-store', calls },
      'so many calls came while the database could not take them: only the file of the audit has them',
    );
  }
}

async function soon(work: Promise<void>): Promise<void> {
  await Promise.race([work, pause(LAST_MS, undefined, { ref: false })]);
}

function eventOf({ at, written: { subject }, facts }: BatchedCall): NewEvent {
  const { session, client, tool, ...rest } = subject;
  return { kind: 'audit', at, type: tool, agent: client, session, body: JSON.stringify({ ...rest, ...facts }) };
}
