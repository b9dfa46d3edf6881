import type { Descriptor, EntryKind, Era } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import type { Span } from '../../../wire/scanning/outline.ts';
import { type EntryReading, type EntryTransform, isDescriptor, readEntry, type SkippedEntry } from './entry-reader.ts';

type KnownEntries = ReadonlyMap<ByteString, Descriptor>;

const NONE: KnownEntries = new Map();

/**
 * Remembers the entries of one list as they were read last: an entry whose bytes are the same is not read again, so that a
 * list costs as much as what has changed of it.
 */
export class EntryMemory {
  readonly #kind: EntryKind;
  #entries = NONE;
  #era: Era | undefined;
  #transform: EntryTransform | undefined;

  constructor(kind: EntryKind) {
    this.#kind = kind;
  }

  /** Begins to read the list. What is remembered stays until `keep` of the new reading. */
  begin(reading: EntryReading): RememberedReading {
    const { era = 'legacy', transform } = reading;
    const isSameWay = era === this.#era && transform === this.#transform;
    return new RememberedReading(this.#kind, reading, isSameWay ? this.#entries : NONE, (entries) => {
      this.#entries = entries;
      this.#era = era;
      this.#transform = transform;
    });
  }
}

/** One reading of a list, which knows the entries of the one before. */
export class RememberedReading {
  readonly #kind: EntryKind;
  readonly #reading: EntryReading;
  readonly #before: KnownEntries;
  readonly #entries = new Map<ByteString, Descriptor>();
  readonly #onKeep: (entries: KnownEntries) => void;

  /** @param before the entries that were read before in the same way, by their bytes */
  constructor(kind: EntryKind, reading: EntryReading, before: KnownEntries, onKeep: (entries: KnownEntries) => void) {
    this.#kind = kind;
    this.#reading = reading;
    this.#before = before;
    this.#onKeep = onKeep;
  }

  /** Returns the entry at this span of a page: the same object as before where its bytes are the same. */
  read(page: Buffer, span: Span): Descriptor | SkippedEntry {
    const bytes = page.latin1Slice(span.start, span.end);
    const entry = this.#before.get(bytes) ?? readEntry(this.#kind, page, span, this.#reading);
    if (isDescriptor(entry)) this.#entries.set(ownBytes(entry, bytes), entry);
    return entry;
  }

  /** The list was read to its end: its entries are those to remember. */
  keep(): void {
    this.#onKeep(this.#entries);
  }
}

/** The bytes are not held twice where the entry has them. */
function ownBytes({ text, source }: Descriptor, bytes: ByteString): ByteString {
  const own = source ?? text;
  return own === bytes ? own : bytes;
}
