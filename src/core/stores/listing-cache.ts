import type { Descriptor, EntryKind, Era } from '../providers/provider.ts';
import type { AskingGrade } from '../providers/provider-status.ts';
import type { UpstreamEntry } from '../settings/upstream-entry.ts';

/** The lists of an upstream as they are kept between runs: the entries' own JSON texts. A list that was never read is absent. */
export interface StoredListing extends Readonly<Partial<Record<EntryKind, readonly string[]>>> {
  /** Present where a start can do without reading the texts again. */
  readonly readings?: StoredReadings;
}

/** The descriptors of the entries of a listing, list by list in the order of the texts. */
export interface StoredReadings {
  /** The era that the server was of when its entries were read. */
  readonly era: Era;
  readonly lists: Readonly<Partial<Record<EntryKind, readonly StoredReading[]>>>;
}

/** A descriptor without its text, where that is the same as the entry's own. */
export interface StoredReading extends Omit<Descriptor, 'kind' | 'text'> {
  readonly text?: Descriptor['text'];
  /** The hash by which its definition is held against the pins, for a tool that was. */
  readonly pinHash?: string;
}

/** Keeps the last lists of upstreams, so that clients are answered before an upstream has started. */
export interface ListingCache {
  /** Returns the lists that an equal entry had, or `undefined`. Never throws: a cache that cannot be read is no cache. */
  load(entry: UpstreamEntry): StoredListing | undefined;
  save(entry: UpstreamEntry, listing: StoredListing): void;
  /**
   * Does the same in slices, with other work between them. Never rejects.
   * @param isWanted asked before the lists become those that are kept: newer ones may have been saved meanwhile
   */
  saveInSlices(entry: UpstreamEntry, listing: StoredListing, isWanted: () => boolean): Promise<void>;
  /** Returns how an equal entry has asked its clients, if it ever has. Never throws. */
  loadAsking(entry: UpstreamEntry): AskingGrade | undefined;
  saveAsking(entry: UpstreamEntry, grade: AskingGrade): void;
}
