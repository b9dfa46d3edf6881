import { TokenBuckets } from '../../../core/timing/token-bucket.ts';

/**
 * The number of wrong tokens that an address may send at once, and per minute after that. A repeated wrong token has an
 * allowance of its own.
 */
const FAILURES = { capacity: 20, perMinute: 20 } as const;
const MAX_REMEMBERED = 2_000;

/**
 * Keeps an address from trying many wrong tokens. Several clients may share an address: a client that has used a valid
 * token from there is not held up, and a client that repeats the same wrong token holds up only itself.
 */
export class FailureThrottle {
  /** The failures by address; by address and digest for tokens that were wrong before. */
  readonly #failures: TokenBuckets;
  /** Address and digest of tokens that were right, and of those that were wrong: the least recently used first. */
  readonly #right = new Set<string>();
  readonly #wrong = new Set<string>();

  constructor(now?: () => number) {
    this.#failures = new TokenBuckets(() => FAILURES, now);
  }

  /** Returns how long the address must wait before this token is checked, in milliseconds. */
  waitMs(address: string, digest: Buffer): number {
    const key = keyOf(address, digest);
    return this.#right.has(key) ? 0 : this.#failures.waitMs(this.#wrong.has(key) ? key : address);
  }

  onFailure(address: string, digest: Buffer): void {
    const key = keyOf(address, digest);
    this.#failures.take(this.#wrong.has(key) ? key : address);
    this.#right.delete(key);
    remember(this.#wrong, key);
  }

  onSuccess(address: string, digest: Buffer): void {
    const key = keyOf(address, digest);
    this.#wrong.delete(key);
    remember(this.#right, key);
  }
}

function remember(keys: Set<string>, key: string): void {
  keys.delete(key);
  keys.add(key);
  if (keys.size > MAX_REMEMBERED) keys.delete(keys.values().next().value!);
}

function keyOf(address: string, digest: Buffer): string {
  return `${address} ${digest.toString('base64')}`;
}
