import type { AskingGrade } from '../../../core/providers/provider-status.ts';
import type { UpstreamEntry } from '../../../core/settings/upstream-entry.ts';
import type { ListingCache } from '../../../core/stores/listing-cache.ts';

/**
 * Remembers whether an upstream has ever asked its clients something by elicitation or sampling, and whether it said for
 * which call.
 * Kept with its lists; all processes of one entry share it. Questions for roots do not count.
 */
export class AskingTrait {
  readonly #entry: UpstreamEntry;
  readonly #cache: ListingCache;
  #grade: AskingGrade | undefined;

  constructor(entry: UpstreamEntry, cache: ListingCache) {
    this.#entry = entry;
    this.#cache = cache;
    this.#grade = cache.loadAsking(entry);
  }

  /** `undefined` if it has never asked. */
  get grade(): AskingGrade | undefined {
    return this.#grade;
  }

  /** True if it has asked without saying for which call, so that only the order of its calls can tell. */
  get isUnnamed(): boolean {
    return this.#grade === 'unnamed';
  }

  /** The upstream has asked. */
  note(isNamed: boolean): void {
    const grade = isNamed ? (this.#grade ?? 'named') : 'unnamed';
    if (grade === this.#grade) return;
    this.#grade = grade;
    this.#cache.saveAsking(this.#entry, grade);
  }
}
