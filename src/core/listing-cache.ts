import type { EntryKind } from './provider.ts';
import type { AskingGrade } from './provider-status.ts';
import type { UpstreamEntry } from './upstream-entry.ts';

/** What is kept of an upstream's lists between runs: the entries' own JSON texts. A list that was never read is absent. */
export type StoredListing = Readonly<Partial<Record<EntryKind, readonly string[]>>>;

/** Keeps the last lists of upstreams, so that clients are answered before an upstream has started. */
export interface ListingCache {
  /** The lists that an equal entry had, or `undefined`. Never throws: a cache that cannot be read is no cache. */
  load(entry: UpstreamEntry): StoredListing | undefined;
  save(entry: UpstreamEntry, listing: StoredListing): void;
  /** Returns how an equal entry has asked its clients, if it ever has. Never throws. */
  loadAsking(entry: UpstreamEntry): AskingGrade | undefined;
  saveAsking(entry: UpstreamEntry, grade: AskingGrade): void;
}
