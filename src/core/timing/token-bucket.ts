/** The capacity, in tokens, and the speed at which they come back. */
export interface BucketRules {
  readonly capacity: number;
  readonly perMinute: number;
}

interface Bucket {
  tokens: number;
  /** The time at which `tokens` was correct, in milliseconds. */
  at: number;
}

/** The number of buckets above which full ones are forgotten. */
const MAX_BUCKETS = 4_096;

/** A bucket of tokens for each key: callers that take tokens faster than they are refilled have to wait. */
export class TokenBuckets {
  readonly #rules: () => BucketRules;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** `rules` are asked for at each use: the config may change. `now` counts milliseconds. */
  constructor(rules: () => BucketRules, now: () => number = () => performance.now()) {
    this.#rules = rules;
    this.#now = now;
  }

  /** Takes a token. Returns how long to wait for one, in milliseconds; 0 when it was there. */
  take(key: string): number {
    const bucket = this.#bucketOf(key);
    const waitMs = this.#waitOf(bucket);
    if (waitMs > 0) return waitMs;
    bucket.tokens -= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#forget();
    return 0;
  }

  /** Returns how long the next `take` would have to wait, in milliseconds. */
  waitMs(key: string): number {
    return this.#waitOf(this.#bucketOf(key));
  }

  #bucketOf(key: string): Bucket {
    const { capacity, perMinute } = this.#rules();
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: capacity, at: now };
    return { tokens: Math.min(capacity, tokens + ((now - at) * perMinute) / 60_000), at: now };
  }

  #waitOf({ tokens }: Bucket): number {
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60_000) / this.#rules().perMinute);
  }

  /** The least recently used one. */
  #forget(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
