import type { Masker } from './masker.ts';

/** The present tokens of one upstream, and those before: a late line may still have them. */
const MAX_KEPT = 4;

/** Secrets of one upstream that are replaced by others again and again, such as tokens: the oldest are forgotten. */
export class RecentSecrets {
  readonly #masker: Masker;
  readonly #kept = new Set<string>();

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  add(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (this.#kept.has(secret)) continue;
      this.#kept.add(secret);
      this.#masker.add(secret);
    }
    for (const secret of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) return;
      this.#kept.delete(secret);
      this.#masker.remove(secret);
    }
  }
}
