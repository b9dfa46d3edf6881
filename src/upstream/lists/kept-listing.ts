import type { Descriptor, EntryKind, Era, Listing } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { EraCache } from '../../core/stores/era-cache.ts';
import type { ListingCache, StoredListing } from '../../core/stores/listing-cache.ts';
import { atOnce, inSlices, type Steps } from '../../core/timing/steps.ts';
import { WorkBudget } from '../../core/timing/work-budget.ts';
import type { EntryReading, EntryTransform } from './entries/entry-reader.ts';
import { ENTRY_KINDS } from './list-methods.ts';
import { fromStored, toStored } from './stored-listing.ts';

export interface KeptListingOptions {
  readonly entry: UpstreamEntry;
  readonly cache: ListingCache;
  readonly eras: EraCache;
  readonly transform: EntryTransform | undefined;
}

/** Lists are written in a twentieth of the time: long ones that change often are not written each time. */
const WRITE_LIMITS = { share: 1 / 20, creditMs: 50, maxRestMs: 60_000 };

/** Lists with more entries are written a little later, in slices: other work is not held up. */
const LONG_ENTRIES = 300;
/** The time for which long lists that are not kept yet are not written, in milliseconds: lists often come together. */
const FIRST_REST_MS = 1_000;
/** The same for lists that were kept before in another form. If the process is killed, the next one shows those at first. */
const CHANGED_REST_MS = 10_000;

/** Lists of an earlier run, and of which kinds there are any. */
export interface RestoredListing {
  readonly listing: Listing;
  readonly kinds: readonly EntryKind[];
  /** The way in which its entries were read. */
  readonly reading: EntryReading;
}

interface Unsaved {
  readonly listing: Listing;
  readonly kinds: readonly EntryKind[];
  readonly pinHashOf: (tool: Descriptor) => string | undefined;
}

/** The lists of an upstream as they are kept between runs. */
export class KeptListing {
  readonly #options: KeptListingOptions;
  /** The kept lists are texts only, as another version of the program has left them: each start would read them again. */
  #isUnread = false;
  /** Lists of the upstream are kept, perhaps in an earlier form. */
  #isKept = false;
  readonly #budget = new WorkBudget(WRITE_LIMITS);
  #unsaved: Unsaved | undefined;
  #isResting = false;
  /** Lists are being written in slices. */
  #isWriting = false;

  constructor(options: KeptListingOptions) {
    this.#options = options;
  }

  /** Tells whether the lists should be kept again, even if they are the same. */
  get isUnread(): boolean {
    return this.#isUnread;
  }

  /**
   * Returns the lists of an earlier run; `undefined` if none are kept.
   * @param onPinHash gets the hashes of tools that need not be hashed again
   */
  load(onPinHash: (tool: Descriptor, hash: string) => void): RestoredListing | undefined {
    const { entry, cache, transform } = this.#options;
    const stored = cache.load(entry);
    if (stored === undefined) return undefined;
    this.#isUnread = stored.readings === undefined && transform === undefined;
    this.#isKept = true;
    const reading = { transform, era: this.#expectedEra() };
    const listing = fromStored(stored, reading, onPinHash);
    return { listing, reading, kinds: ENTRY_KINDS.filter((kind) => stored[kind] !== undefined) };
  }

  /** Keeps the lists of these kinds, now or soon. */
  save(listing: Listing, kinds: Iterable<EntryKind>, pinHashOf: (tool: Descriptor) => string | undefined): void {
    this.#isUnread = false;
    this.#unsaved = { listing, kinds: [...kinds], pinHashOf };
    const waitMs = Math.max(this.#budget.waitMs(), this.#restMs(listing));
    if (waitMs > 0) this.#flushLater(waitMs);
    else this.#flushNow();
  }

  #restMs(listing: Listing): number {
    if (entryCount(listing) <= LONG_ENTRIES) return 0;
    return this.#isKept ? CHANGED_REST_MS : FIRST_REST_MS;
  }

  /** Keeps what is not kept yet. */
  flush(): void {
    const unsaved = this.#unsaved;
    if (unsaved === undefined) return;
    this.#unsaved = undefined;
    const from = performance.now();
    this.#options.cache.save(this.#options.entry, atOnce(this.#toStored(unsaved)));
    this.#isKept = true;
    this.#budget.spend(performance.now() - from);
  }

  #flushNow(): void {
    if (this.#unsaved === undefined) return;
    if (entryCount(this.#unsaved.listing) <= LONG_ENTRIES) this.flush();
    else if (!this.#isWriting) void this.#flushInSlices();
  }

  async #flushInSlices(): Promise<void> {
    const unsaved = this.#unsaved!;
    const isWanted = () => this.#unsaved === unsaved;
    this.#isWriting = true;
    const from = performance.now();
    const stored = await inSlices(this.#toStored(unsaved));
    if (isWanted()) await this.#options.cache.saveInSlices(this.#options.entry, stored, isWanted);
    this.#isWriting = false;
    this.#budget.spend(performance.now() - from);
    if (isWanted()) {
      this.#unsaved = undefined;
      this.#isKept = true;
    } else if (this.#unsaved !== undefined) this.#flushLater(this.#budget.waitMs());
  }

  #toStored({ listing, kinds, pinHashOf }: Unsaved): Steps<StoredListing> {
    const era = this.#options.transform === undefined ? this.#expectedEra() : undefined;
    return toStored(listing, kinds, { era, pinHashOf });
  }

  #flushLater(ms: number): void {
    if (this.#isResting) return;
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      this.#flushNow();
    }, ms).unref();
  }

  /** Returns the era of the upstream at the time its lists were kept, as far as it is known. */
  #expectedEra(): Era {
    const { entry, eras } = this.#options;
    if (entry.era !== 'auto') return entry.era === 'legacy' ? 'legacy' : 'modern';
    return eras.load(entry)?.era ?? 'legacy';
  }
}

function entryCount(listing: Listing): number {
  return ENTRY_KINDS.reduce((sum, kind) => sum + listing[kind].length, 0);
}
