import type { Log } from '../../telemetry/log.ts';

const MIB = 1024 * 1024;
/** The bytes that all clients together may leave unread. A single answer may be larger. */
export const TOTAL_BYTES = 128 * MIB;
/** The bytes that one owner may leave unread before upstreams hold back their large answers to it. */
export const OWNER_BYTES = 64 * MIB;
/** Readers are looked at this often. */
export const LOOK_MS = 1_000;
/** A reader that takes nothing for this long is disconnected. */
export const STALL_MS = 30_000;
/** The same while memory is short, or while an upstream waits for this reader. */
export const SHORT_STALL_MS = 5_000;
/** The same for an owner that was disconnected a moment ago because it did not read. */
const OFFENDER_STALL_MS = 500;
const OFFENDER_MS = 60_000;
/** An upstream waits this long for a reader that reads slowly, unless the total is used up. */
export const HOLD_MS = 5_000;

/** One connection to a client. */
export interface Reader {
  /** The owner of the memory: a principal, a session or a connection. */
  readonly owner: string;
  /** Bytes that the client has not taken yet. */
  readonly queuedBytes: number;
  /** Bytes that it has taken since the start. */
  readonly takenBytes: number;
  /** Ends the connection. */
  cut(): void;
}

interface Watched {
  readonly reader: Reader;
  takenBytes: number;
  progressAt: number;
}

interface Waiting {
  readonly owner: string;
  readonly since: number;
  readonly resolve: () => void;
}

/**
 * Keeps what clients have not read yet within bounds. A client is judged by its progress, not by the amount: one that reads
 * keeps its connection however much is under way, and upstreams wait meanwhile with their large answers to it. One that takes
 * nothing loses its connections, first those that have taken nothing for longest, and first those of an owner that has
 * more than its share.
 */
export class UnreadBudget {
  readonly #log: Log;
  readonly #watched = new Map<Reader, Watched>();
  readonly #offenders = new Map<string, number>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Called when data was written to this reader that it has not taken yet. */
  onWritten(reader: Reader): void {
    if (!this.#watched.has(reader)) {
      const now = performance.now();
      this.#watched.set(reader, { reader, takenBytes: reader.takenBytes, progressAt: now });
      this.#startLooking(now);
    }
    if (unreadBytes(this.#watched.keys()) > TOTAL_BYTES) this.#shed(performance.now());
  }

  /** A reader has taken something, or has gone. */
  onTaken(reader: Reader): void {
    const watched = this.#watched.get(reader);
    if (watched === undefined) return;
    this.#noteProgress(watched, performance.now());
    if (reader.queuedBytes === 0) this.#watched.delete(reader);
    this.#release(performance.now());
  }

  /** Resolves when there is room for another large answer to `owner`; `undefined` if there is room now. */
  whenRoom(owner: string): Promise<void> | undefined {
    if (this.#hasRoom(owner)) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push({ owner, since: performance.now(), resolve });
    });
  }

  #startLooking(now: number): void {
    if (this.#timer !== undefined) return;
    this.#lookedAt = now;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #hasRoom(owner: string): boolean {
    const own = unreadBytesOf(owner, this.#watched.keys());
    return own === 0 || (own <= OWNER_BYTES && unreadBytes(this.#watched.keys()) <= TOTAL_BYTES);
  }

  #noteProgress(watched: Watched, now: number): void {
    const { takenBytes } = watched.reader;
    if (takenBytes <= watched.takenBytes) return;
    watched.takenBytes = takenBytes;
    watched.progressAt = now;
    this.#offenders.delete(watched.reader.owner);
  }

  #look(): void {
    const now = performance.now();
    // This process stood still (a laptop slept, a debugger held it): no reader is to blame for that time.
    const pausedMs = now - this.#lookedAt - LOOK_MS;
    if (pausedMs > LOOK_MS) for (const watched of this.#watched.values()) watched.progressAt += pausedMs;
    this.#lookedAt = now;
    for (const watched of this.#watched.values()) {
      this.#noteProgress(watched, now);
      if (watched.reader.queuedBytes === 0) this.#watched.delete(watched.reader);
      else if (now - watched.progressAt >= STALL_MS) this.#cut(watched, now);
    }
    for (const [owner, until] of this.#offenders) if (until <= now) this.#offenders.delete(owner);
    this.#shed(now);
    this.#release(now);
    if (this.#watched.size > 0 || this.#waiting.length > 0 || this.#offenders.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Disconnects readers that take nothing, until the total is below the limit and nothing waits for them. */
  #shed(now: number): void {
    for (;;) {
      const isShort = unreadBytes(this.#watched.keys()) > TOTAL_BYTES;
      const victim = this.#longestStalled(now, isShort);
      if (victim === undefined) return;
      this.#cut(victim, now);
    }
  }

  #longestStalled(now: number, isShort: boolean): Watched | undefined {
    const stalled = [...this.#watched.values()].filter(
      ({ reader, progressAt }) => reader.queuedBytes > 0 && now - progressAt >= this.#patienceMs(reader.owner),
    );
    const greedy = stalled.filter(({ reader }) => unreadBytesOf(reader.owner, this.#watched.keys()) > OWNER_BYTES);
    const awaited = greedy.filter(({ reader }) => this.#waiting.some(({ owner }) => owner === reader.owner));
    const candidates = isShort ? (greedy.length > 0 ? greedy : stalled) : awaited;
    return candidates.toSorted((a, b) => a.progressAt - b.progressAt)[0];
  }

  #patienceMs(owner: string): number {
    return this.#offenders.has(owner) ? OFFENDER_STALL_MS : SHORT_STALL_MS;
  }

  #cut(watched: Watched, now: number): void {
    const { reader, progressAt } = watched;
    const stalledMs = Math.round(now - progressAt);
    this.#log.warn(
      { event: 'slow-client', queued: reader.queuedBytes, stalledMs },
      'a client does not read its messages; it was disconnected',
    );
    this.#watched.delete(reader);
    this.#offenders.set(reader.owner, now + OFFENDER_MS);
    reader.cut();
  }

  /** Upstreams go on whose reader has room again; after a while also those whose reader is slow. */
  #release(now: number): void {
    if (this.#waiting.length === 0) return;
    const isShort = unreadBytes(this.#watched.keys()) > TOTAL_BYTES;
    const left: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const isLong = now - waiting.since >= HOLD_MS && !isShort;
      if (isLong || this.#hasRoom(waiting.owner)) waiting.resolve();
      else left.push(waiting);
    }
    this.#waiting = left;
  }
}

function unreadBytesOf(owner: string, readers: Iterable<Reader>): number {
  let bytes = 0;
  for (const reader of readers) if (reader.owner === owner) bytes += reader.queuedBytes;
  return bytes;
}

function unreadBytes(readers: Iterable<Reader>): number {
  let bytes = 0;
  for (const reader of readers) bytes += reader.queuedBytes;
  return bytes;
}
