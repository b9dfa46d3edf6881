import { TransientMap } from '../../core/collections/transient-map.ts';
import type { GatewayError } from '../../core/errors.ts';
import type { Frame } from '../../wire/frame.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { Ticker } from './ticker.ts';

/** Waits for an upstream's answer. Exactly one of `onResponse`, `onFailure` and `onUnheard` is called. */
export interface Waiter {
  onResponse(message: ResponseMessage): void;
  onFailure(error: GatewayError): void;
  /** The request may be sent on another connection instead; `error` is for those who do not. */
  onUnheard?(error: GatewayError): void;
  onProgress?(frame: Frame, token: Span): void;
  /** Resolves when there is room for a large answer; `undefined` if there is room now. */
  whenRoom?(): Promise<void> | undefined;
  /** The upstream is told when the request is given up. Not so for `initialize`, which must not be cancelled. */
  readonly isCancellable?: boolean;
  /** Longest silence, and longest time in all, in milliseconds; absent means no limit. */
  readonly idleMs?: number | undefined;
  readonly totalMs?: number | undefined;
}

interface Entry {
  readonly waiter: Waiter;
  startedAt: number;
  lastSignAt: number;
  /** The number of reasons not to count the time. */
  pauses: number;
  /** The time of the first of them. */
  pausedAt: number;
  /** True if it is not with the peer now. */
  readonly isParked: boolean;
}

/** The time between two looks at the deadlines, in milliseconds: a timer for each call would cost more than the call. */
const TICK_MS = 100;

/** The requests to one peer that are not answered yet, by the id we gave them. */
export class PendingRequests {
  readonly #entries = new TransientMap<number, Entry>();
  readonly #onTimeout: (id: number, waiter: Waiter, afterMs: number) => void;
  #nextId: number;
  readonly #ticker = new Ticker(TICK_MS, () => this.#tick());
  #onEmpty: (() => void) | undefined;

  /** `onTimeout` is told which request was given up; its waiter is not called by the table. */
  constructor(firstId: number, onTimeout: (id: number, waiter: Waiter, afterMs: number) => void) {
    this.#nextId = firstId;
    this.#onTimeout = onTimeout;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** True if a request is open whose time is limited. A stream of changes has no limit and does not count. */
  get hasLimited(): boolean {
    for (const { waiter } of this.#entries.values()) if (isLimited(waiter)) return true;
    return false;
  }

  /** Returns the id of the only open request whose time is limited; `undefined` if there is none, or more than one. */
  soleLimited(): number | undefined {
    let sole: number | undefined;
    for (const [id, { waiter }] of this.#entries.entries()) {
      if (!isLimited(waiter)) continue;
      if (sole !== undefined) return undefined;
      sole = id;
    }
    return sole;
  }

  /**
   * Adds a request and returns its id. Ids ascend and are never used twice.
   * @param isParked it is not with the peer: its time stands still
   */
  add(waiter: Waiter, isParked = false): number {
    const id = this.#nextId++;
    const now = performance.now();
    this.#entries.set(id, {
      waiter,
      startedAt: now,
      lastSignAt: now,
      pauses: isParked ? 1 : 0,
      pausedAt: now,
      isParked,
    });
    if (isLimited(waiter)) this.#ticker.start();
    return id;
  }

  /** Returns the waiter of a request that is still open. */
  waiterOf(id: number): Waiter | undefined {
    return this.#entries.get(id)?.waiter;
  }

  /** Removes a request and returns its waiter; `undefined` for ids that are unknown, answered or given up. */
  take(id: number): Waiter | undefined {
    const entry = this.#entries.take(id);
    if (entry === undefined) return undefined;
    if (this.#onEmpty !== undefined) this.#tellIfEmpty();
    return entry.waiter;
  }

  /** Notes a sign of life of a request: its silence begins again. Returns its waiter, if it is open. */
  touch(id: number): Waiter | undefined {
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.lastSignAt = performance.now();
    return entry?.waiter;
  }

  /** Stops the time of a request, whose peer waits for another party, until `resume` was called as often. */
  pause(id: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined && entry.pauses++ === 0) entry.pausedAt = performance.now();
  }

  /** Takes one reason away not to count the time of a request. */
  resume(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.pauses === 0 || --entry.pauses > 0) return;
    goOn(entry, performance.now());
  }

  /** Fails all requests. */
  failAll(error: (waiter: Waiter) => GatewayError): void {
    const waiters = [...this.#entries.values()];
    this.#entries.clear();
    this.#ticker.stop();
    for (const { waiter } of waiters) waiter.onFailure(error(waiter));
    this.#tellIfEmpty();
  }

  /**
   * Lets the requests run out; nothing may be added any more. What has no limit, and what is not with the peer, fails. Time
   * goes on for the rest, and `onEmpty` is called once it is settled.
   */
  runOut(error: () => GatewayError, onEmpty: () => void): void {
    const now = performance.now();
    for (const [id, entry] of this.#entries.entries()) {
      if (isLimited(entry.waiter) && !entry.isParked) {
        if (entry.pauses > 0) goOn(entry, now);
      } else {
        this.#entries.take(id);
        entry.waiter.onFailure(error());
      }
    }
    this.#onEmpty = onEmpty;
    this.#tellIfEmpty();
  }

  #tellIfEmpty(): void {
    const onEmpty = this.#onEmpty;
    if (onEmpty === undefined || this.#entries.size > 0) return;
    this.#onEmpty = undefined;
    // The code that took the last entry has not finished with it yet.
    queueMicrotask(onEmpty);
  }

  #tick(): void {
    const now = performance.now();
    // Not stopped with each last answer: starting a timer costs as much as a call.
    if (this.#entries.size === 0) this.#ticker.stop();
    for (const [id, entry] of this.#entries.entries()) {
      const limit = overdue(entry, now);
      if (limit === undefined) continue;
      this.take(id);
      this.#onTimeout(id, entry.waiter, limit);
    }
  }
}

/** Counts the time of a request again. */
function goOn(entry: Entry, now: number): void {
  entry.pauses = 0;
  entry.startedAt += now - entry.pausedAt;
  entry.lastSignAt = now;
}

function isLimited({ idleMs, totalMs }: Waiter): boolean {
  return idleMs !== undefined || totalMs !== undefined;
}

/** Returns the limit that has passed, if one has. */
function overdue({ waiter, startedAt, lastSignAt, pauses }: Entry, now: number): number | undefined {
  if (pauses > 0) return undefined;
  const { idleMs, totalMs } = waiter;
  if (idleMs !== undefined && now - lastSignAt >= idleMs) return idleMs;
  if (totalMs !== undefined && now - startedAt >= totalMs) return totalMs;
  return undefined;
}
