import type { StoredListing } from '../../core/listing-cache.ts';
import { type Descriptor, EMPTY_LISTING, type EntryKind, type Listing } from '../../core/provider.ts';
import { type EntryReading, isDescriptor, readEntry } from './entry-reader.ts';
import { ENTRY_KINDS } from './list-methods.ts';

/** Entries as the upstream wrote them: how they are shown may differ in the next run. Only lists of these kinds are kept. */
export function toStored(listing: Listing, kinds: Iterable<EntryKind>): StoredListing {
  const textOf = ({ text, source }: Descriptor) => Buffer.from(source ?? text, 'latin1').toString('utf8');
  return Object.fromEntries([...kinds].map((kind) => [kind, listing[kind].map(textOf)]));
}

/** Reads stored entries again; one that is unsound is left out. */
export function fromStored(stored: StoredListing, reading: EntryReading): Listing {
  const read = (kind: EntryKind) =>
    (stored[kind] ?? []).flatMap((text): Descriptor[] => {
      const buffer = Buffer.from(text, 'utf8');
      const entry = readEntry(kind, buffer, { start: 0, end: buffer.length }, reading);
      return isDescriptor(entry) ? [entry] : [];
    });
  return { ...EMPTY_LISTING, ...Object.fromEntries(ENTRY_KINDS.map((kind) => [kind, read(kind)])) };
}
