import { createHash } from 'node:crypto';
import type { NamedUri } from '../../core/uris/uri-log.ts';

/** The number of uris kept per upstream. The oldest are dropped first. */
const MAX_NAMED = 10_000;
const DIGEST_LENGTH = 22;

/** The uris that upstreams have named in answers without listing them, by their digests. Of several namers the first counts. */
export class NamedUris {
  readonly #keys = new Map<string, string>();
  /** By key, the oldest first. */
  readonly #digests = new Map<string, Set<string>>();

  get size(): number {
    return this.#keys.size;
  }

  has(digest: string): boolean {
    return this.#keys.has(digest);
  }

  namerOf(uri: string): string | undefined {
    return this.#keys.size === 0 ? undefined : this.#keys.get(digestOf(uri));
  }

  add({ key, digest }: NamedUri): void {
    if (this.#keys.has(digest)) return;
    const digests = this.#digests.get(key) ?? new Set();
    this.#digests.set(key, digests.add(digest));
    this.#keys.set(digest, key);
    const [oldest] = digests;
    if (digests.size > MAX_NAMED) this.remove({ key, digest: oldest! });
  }

  /** Forgets that this upstream has named a uri. */
  remove({ key, digest }: NamedUri): void {
    if (this.#keys.get(digest) !== key) return;
    this.#keys.delete(digest);
    this.#digests.get(key)?.delete(digest);
  }

  release(key: string): void {
    for (const digest of this.#digests.get(key) ?? []) this.#keys.delete(digest);
    this.#digests.delete(key);
  }

  clear(): void {
    this.#keys.clear();
    this.#digests.clear();
  }

  keys(): Iterable<string> {
    return this.#digests.keys();
  }

  all(): NamedUri[] {
    return [...this.#keys].map(([digest, key]) => ({ key, digest }));
  }
}

export function digestOf(uri: string): string {
  return createHash('sha256').update(uri, 'utf16le').digest('base64url').slice(0, DIGEST_LENGTH);
}
