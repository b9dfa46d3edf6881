import { isObject } from '../../core/json/as-object.ts';
import {
  type Descriptor,
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
} from '../../core/providers/provider.ts';
import type { StoredListing, StoredReading } from '../../core/stores/listing-cache.ts';
import type { Steps } from '../../core/timing/steps.ts';
import { type EntryReading, isDescriptor, readEntry } from './entries/entry-reader.ts';
import { ENTRY_KINDS } from './list-methods.ts';

/** The number of entries that are made ready to be kept without a pause. */
const ENTRIES_AT_ONCE = 100;

/**
 * Returns what is kept of lists: entries as the upstream wrote them, and what was read of them. Only lists of these kinds are kept.
 * @param facts `era` of the server whose entries they are; without it, the entries are read again at the next start
 */
export function* toStored(
  listing: Listing,
  kinds: Iterable<EntryKind>,
  { era, pinHashOf }: { readonly era: Era | undefined; readonly pinHashOf: (tool: Descriptor) => string | undefined },
): Steps<StoredListing> {
  const kept = [...kinds];
  const toReading = (entry: Descriptor): StoredReading => {
    const { kind, text, ...rest } = entry;
    const pinHash = kind === 'tool' ? pinHashOf(entry) : undefined;
    return { ...rest, ...(rest.source !== undefined && { text }), ...(pinHash !== undefined && { pinHash }) };
  };
  const texts = yield* byKind(listing, kept, ({ text, source }) => utf8Of(source ?? text));
  return era === undefined ? texts : { ...texts, readings: { era, lists: yield* byKind(listing, kept, toReading) } };
}

function* byKind<T>(
  listing: Listing,
  kinds: readonly EntryKind[],
  make: (entry: Descriptor) => T,
): Steps<Partial<Record<EntryKind, T[]>>> {
  const lists: Partial<Record<EntryKind, T[]>> = {};
  for (const kind of kinds) {
    const made: T[] = [];
    for (const entry of listing[kind]) if (made.push(make(entry)) % ENTRIES_AT_ONCE === 0) yield;
    lists[kind] = made;
  }
  return lists;
}

/**
 * Reads stored entries again, where what was read of them does not fit; one that is unsound is left out.
 * @param onPinHash gets the hashes of tools that need not be hashed again
 */
export function fromStored(
  stored: StoredListing,
  reading: EntryReading,
  onPinHash: (tool: Descriptor, hash: string) => void,
): Listing {
  const { transform, era = 'legacy' } = reading;
  const readings = transform === undefined && stored.readings?.era === era ? stored.readings : undefined;
  const lists = ENTRY_KINDS.map((kind) => {
    const texts = stored[kind] ?? [];
    return [kind, restored(kind, texts, readings?.lists[kind], onPinHash) ?? readAgain(kind, texts, reading)];
  });
  return { ...EMPTY_LISTING, ...Object.fromEntries(lists) };
}

function readAgain(kind: EntryKind, texts: readonly string[], reading: EntryReading): Descriptor[] {
  return texts.flatMap((text): Descriptor[] => {
    const buffer = Buffer.from(text, 'utf8');
    const entry = readEntry(kind, buffer, { start: 0, end: buffer.length }, reading);
    return isDescriptor(entry) ? [entry] : [];
  });
}

/** Returns the descriptors of a list, or `undefined` if they are not those of its texts. */
function restored(
  kind: EntryKind,
  texts: readonly string[],
  list: readonly StoredReading[] | undefined,
  onPinHash: (tool: Descriptor, hash: string) => void,
): Descriptor[] | undefined {
  if (list?.length !== texts.length) return undefined;
  const entries: Descriptor[] = [];
  for (const [index, { pinHash, ...reading }] of list.entries()) {
    const entry = { ...reading, kind, text: reading.text ?? latin1Of(texts[index]!) };
    if (!hasItsName(entry)) return undefined;
    if (typeof pinHash === 'string') onPinHash(entry, pinHash);
    entries.push(entry);
  }
  return entries;
}

/** A file that was edited by hand may have spans of another text. */
function hasItsName({ text, ownName, nameSpan, fingerprint }: Descriptor): boolean {
  if (typeof fingerprint !== 'string' || !isObject(nameSpan)) return false;
  try {
    return JSON.parse(utf8Of(text.slice(nameSpan.start, nameSpan.end))) === ownName;
  } catch {
    return false;
  }
}

const utf8Of = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');
const latin1Of = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
