import type { KeepsAlive } from '../../core/providers/keeps-alive.ts';

/** The times after which a gateway without clients ends, in milliseconds. */
export interface LifetimeLimits {
  /** When it has nothing to do. */
  readonly idleExitMs: number;
  /** Even if it has. */
  readonly maxLingerMs: number;
}

export interface LifetimeOptions {
  readonly limits: LifetimeLimits;
  readonly work: KeepsAlive;
  /** Called once. */
  readonly end: (reason: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The rest of a gateway's life, for `viaduct status`. */
export interface LifetimeStatus {
  /** Connections that there are now. */
  readonly clients: number;
  /** The time at which it ends if no client comes, in milliseconds since 1970; absent while there are clients. */
  readonly endsAt?: number;
  /** The work for which it lives longer than that, at most until `endsAtLatest`. */
  readonly keptAliveBy: readonly string[];
  readonly endsAtLatest?: number;
}

/** The interval at which work is looked at that keeps the gateway alive, in milliseconds. */
const LOOK_MS = 2_000;
/** The client for which a gateway was started has this time to come, in milliseconds. */
const FIRST_CLIENT_MS = 30_000;

/** Decides when a shared gateway ends: some time after its last client, later if work keeps it alive. */
export class Lifetime {
  readonly #work: KeepsAlive;
  readonly #end: (reason: string) => void;
  readonly #now: () => number;
  #limits: LifetimeLimits;
  #clients = 0;
  #hadClients = false;
  #isRetired = false;
  #hasEnded = false;
  #aloneSince: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ limits, work, end, now = Date.now }: LifetimeOptions) {
    this.#limits = limits;
    this.#work = work;
    this.#end = end;
    this.#now = now;
    this.#aloneSince = now();
    this.#look();
  }

  /** A client has come. Returns false if it is too late. */
  arrive(): boolean {
    if (this.#hasEnded) return false;
    this.#clients++;
    this.#hadClients = true;
    clearTimeout(this.#timer);
    return true;
  }

  /** A client has gone. */
  leave(): void {
    this.#clients--;
    if (this.#clients > 0) return;
    this.#aloneSince = this.#now();
    this.#look();
  }

  /** Goes over to other limits. */
  configure(limits: LifetimeLimits): void {
    this.#limits = limits;
    this.#look();
  }

  /** No new clients will come: the gateway ends with its last one. */
  retire(): void {
    this.#isRetired = true;
    this.#look();
  }

  /** The gateway ends for another reason. */
  cancel(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  status(): LifetimeStatus {
    const keptAliveBy = this.#work.work();
    if (this.#clients > 0) return { clients: this.#clients, keptAliveBy };
    return { clients: 0, endsAt: this.#idleEnd, keptAliveBy, endsAtLatest: this.#latestEnd };
  }

  get #idleEnd(): number {
    const wanted = this.#isRetired ? 0 : this.#limits.idleExitMs;
    return Math.min(
      this.#aloneSince + (this.#hadClients ? wanted : Math.max(wanted, FIRST_CLIENT_MS)),
      this.#latestEnd,
    );
  }

  get #latestEnd(): number {
    const { maxLingerMs } = this.#limits;
    return this.#aloneSince + (this.#hadClients ? maxLingerMs : Math.max(maxLingerMs, FIRST_CLIENT_MS));
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded || this.#clients > 0) return;
    const now = this.#now();
    const isWorking = now >= this.#idleEnd && this.#work.work().length > 0;
    if (now >= this.#latestEnd || (now >= this.#idleEnd && !isWorking)) {
      this.#hasEnded = true;
      this.#end(isWorking ? 'it has waited for its work as long as it may' : 'it has no clients and nothing to do');
      return;
    }
    const wait = isWorking ? Math.min(LOOK_MS, this.#latestEnd - now) : this.#idleEnd - now;
    this.#timer = setTimeout(() => this.#look(), wait);
  }
}
