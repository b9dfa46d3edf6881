import type { WebSocket } from 'ws';

/** Given to the socket at one time: the rest waits here, where it can be counted and thrown away. */
const ON_THE_WAY = 256 * 1024;
/** The cost of a message beside its bytes. */
const OVERHEAD = 256;
/** A source that does not wait is heard this much longer. */
const OVERRUN = 16 * 1024 * 1024;
/** The number of steps in which the patience is counted, so that the sleep of a machine counts as one step. */
const STEPS = 8;

export interface OutboxOptions {
  readonly socket: Pick<WebSocket, 'send'>;
  /** Returns the limit on waiting bytes; asked for at each message. */
  readonly room: () => number;
  /** Within this time a full outbox must be relieved of a quarter of its room. */
  readonly slowMs: number;
  /** Called when it was not relieved, or when too much came all the same. */
  readonly onSlow: (waiting: number) => void;
}

interface Relief {
  /** It has come when no more than this is left. */
  readonly below: number;
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly patience: NodeJS.Timeout;
}

/**
 * The messages for one client, in order. It says when it is full, so that sources wait; and says when its client takes
 * too little to wait for.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Buffer[] = [];
  /** The index of the next one in `waiting`. */
  #next = 0;
  #onTheWay = 0;
  /** The bytes that wait or are on the way, with the overhead. */
  #behind = 0;
  /** While it is full. */
  #relief: Relief | undefined;
  #isClosed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** `bytes` may be shared with others, and must not change. */
  push(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#waiting.push(bytes);
    this.#behind += costOf(bytes);
    const room = this.#options.room();
    if (this.#behind > room + OVERRUN) this.#options.onSlow(this.#behind);
    else if (this.#behind > room) this.#relief ??= this.#waitForRelief(this.#behind - room / 4);
    this.#send();
  }

  /** Returns a promise while it is full, which resolves when it is no longer full, or closed. */
  whenRoom(): Promise<void> | undefined {
    return this.#relief?.promise;
  }

  /** Forgets what waits. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#next = 0;
    this.#relieve();
  }

  #send(): void {
    while (this.#onTheWay < ON_THE_WAY && this.#next < this.#waiting.length) {
      const bytes = this.#waiting[this.#next++]!;
      const cost = costOf(bytes);
      this.#onTheWay += cost;
      this.#options.socket.send(bytes, { binary: false }, () => this.#onTaken(cost));
    }
    // Seldom: to take away the first of many moves all others.
    if (this.#next < this.#waiting.length / 2) return;
    this.#waiting.splice(0, this.#next);
    this.#next = 0;
  }

  #onTaken(cost: number): void {
    this.#onTheWay -= cost;
    this.#behind -= cost;
    if (this.#isClosed) return;
    this.#send();
    if (this.#relief !== undefined && this.#behind <= this.#relief.below) this.#relieve();
  }

  #waitForRelief(below: number): Relief {
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    let steps = 0;
    const patience = setInterval(() => {
      if (++steps === STEPS) this.#options.onSlow(this.#behind);
    }, this.#options.slowMs / STEPS);
    return { below, promise, resolve, patience };
  }

  #relieve(): void {
    if (this.#relief === undefined) return;
    clearInterval(this.#relief.patience);
    this.#relief.resolve();
    this.#relief = undefined;
  }
}

const costOf = (bytes: Buffer): number => bytes.length + OVERHEAD;
