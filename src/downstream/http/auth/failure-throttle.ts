import { TokenBuckets } from '../../../core/token-bucket.ts';

/** So many wrong tokens an address may bring at once, and so many in a minute from then on. */
const FAILURES = { capacity: 20, perMinute: 20 } as const;
const MAX_KNOWN = 2_000;

/**
 * Keeps an address that brings wrong tokens from trying many. Whoever has come from there with a right one before is not
 * held up: several clients may share an address.
 */
export class FailureThrottle {
  readonly #failures: TokenBuckets;
  /** Address and digest of tokens that were right, the least recently used first. */
  readonly #known = new Set<string>();

  constructor(now?: () => number) {
    this.#failures = new TokenBuckets(() => FAILURES, now);
  }

  /** How long a token is not even looked at, in milliseconds. */
  waitMs(address: string, digest: Buffer): number {
    return this.#known.has(keyOf(address, digest)) ? 0 : this.#failures.waitMs(address);
  }

  onFailure(address: string, digest: Buffer): void {
    this.#known.delete(keyOf(address, digest));
    this.#failures.take(address);
  }

  onSuccess(address: string, digest: Buffer): void {
    const key = keyOf(address, digest);
    this.#known.delete(key);
    this.#known.add(key);
    if (this.#known.size > MAX_KNOWN) for (const oldest of [...this.#known].slice(0, 100)) this.#known.delete(oldest);
  }
}

function keyOf(address: string, digest: Buffer): string {
  return `${address} ${digest.toString('base64')}`;
}
