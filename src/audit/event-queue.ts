import type { EventStore, NewEvent } from '../core/event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { BatchedCall } from './batch.ts';

/** So often what has come is stored, in milliseconds; the newest second of a running gateway is in its file only. */
const STORE_EVERY_MS = 1_000;
/** Events of one transaction: between two of them others have their turn. */
const BATCH = 200;
/** While the store cannot be used, or does not keep up, so many wait. Older ones are left out; the file has them. */
const MAX_WAITING = 5_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

export interface EventQueueOptions {
  /** Opens the store at its first use. */
  readonly open: () => EventStore;
  readonly keepDays: number;
  readonly log: Log;
}

/** Brings calls into the event store, behind the calls and never in their way. */
export class EventQueue {
  readonly #options: EventQueueOptions;
  #store: EventStore | undefined;
  #waiting: BatchedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #dropped = 0;
  #isFailing = false;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  add(calls: readonly BatchedCall[]): void {
    this.#waiting.push(...calls);
    this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#storeLater(), STORE_EVERY_MS).unref();
  }

  /** Stores what waits, or says that it cannot be. */
  async close(): Promise<void> {
    this.#storeLater();
    await this.#storing;
    if (this.#waiting.length > 0) this.#noteLost(this.#waiting.length);
    this.#waiting = [];
    await this.#store?.close();
    this.#store = undefined;
  }

  #storeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing = this.#storing.then(() => this.#storeAll());
  }

  /** What cannot be stored stays, and is tried again with what comes next. Never throws. */
  async #storeAll(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#store ??= this.#options.open();
    try {
      while (this.#waiting.length > 0) await this.#storeSome(this.#store);
      await this.#prune(this.#store);
      this.#onStored();
    } catch (error) {
      if (!this.#isFailing)
        this.#options.log.warn({ event: 'audit-store', error }, 'the audit cannot be stored; its file has it');
      this.#isFailing = true;
    }
  }

  async #storeSome(store: EventStore): Promise<void> {
    const batch = this.#waiting.splice(0, BATCH);
    try {
      await store.add(batch.map(eventOf));
    } catch (error) {
      this.#waiting.unshift(...batch);
      this.#dropOldest();
      throw error;
    }
  }

  async #prune(store: EventStore): Promise<void> {
    if (performance.now() - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = performance.now();
    await store.prune('audit', Date.now() - this.#options.keepDays * DAY_MS);
  }

  #onStored(): void {
    this.#isFailing = false;
    if (this.#dropped > 0) this.#noteLost(this.#dropped);
    this.#dropped = 0;
  }

  #dropOldest(): void {
    const over = this.#waiting.length - MAX_WAITING;
    if (over <= 0) return;
    this.#waiting.splice(0, over);
    this.#dropped += over;
  }

  #noteLost(calls: number): void {
    this.#options.log.warn({ event: 'audit-store', calls }, 'calls are in the file of the audit, and not in the store');
  }
}

function eventOf({ at, written: { subject }, facts }: BatchedCall): NewEvent {
  const { session, client, tool, ...rest } = subject;
  return { kind: 'audit', at, type: tool, agent: client, session, body: { ...rest, ...facts } };
}
