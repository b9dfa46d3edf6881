import type { StoredListing } from '../../core/listing-cache.ts';
import type { Descriptor, Listing } from '../../core/provider.ts';
import { type EntryReading, isDescriptor, readEntry } from './entry-reader.ts';
import { ENTRY_KINDS } from './sync.ts';

/** Entries as the upstream wrote them: how they are shown may differ in the next run. */
export function toStored(listing: Listing): StoredListing {
  return mapKinds((kind) =>
    listing[kind].map(({ text, source }) => Buffer.from(source ?? text, 'latin1').toString('utf8')),
  );
}

/** Reads stored entries again; one that is unsound is left out. */
export function fromStored(stored: StoredListing, reading: EntryReading): Listing {
  return mapKinds((kind) =>
    stored[kind].flatMap((text): Descriptor[] => {
      const buffer = Buffer.from(text, 'utf8');
      const entry = readEntry(kind, buffer, { start: 0, end: buffer.length }, reading);
      return isDescriptor(entry) ? [entry] : [];
    }),
  );
}

function mapKinds<T>(make: (kind: (typeof ENTRY_KINDS)[number]) => T) {
  const [tool, prompt, resource, template] = ENTRY_KINDS.map(make) as [T, T, T, T];
  return { tool, prompt, resource, template };
}
