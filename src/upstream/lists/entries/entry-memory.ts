import type { Descriptor, EntryKind, Era } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { valueEndAt } from '../../../wire/lens.ts';
import { pastWhitespace } from '../../../wire/scanning/characters.ts';
import type { Span } from '../../../wire/scanning/outline.ts';
import { type EntryReading, type EntryTransform, isDescriptor, readEntry, type SkippedEntry } from './entry-reader.ts';

const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;

/** Entries of a page that are not those that come next in memory. With more, the whole page is scanned: that is cheaper then. */
const MAX_UNEXPECTED = 50;

/** The entries of one reading, in their order. */
interface KnownEntries {
  readonly entries: readonly Descriptor[];
  readonly bytes: readonly ByteString[];
  /** The places of entries, by their bytes. */
  readonly places: ReadonlyMap<ByteString, number>;
}

const NONE: KnownEntries = { entries: [], bytes: [], places: new Map() };

/** One entry of a page. */
export interface PageEntry extends Span {
  /** Its place among the entries of the last reading, if it is found there. */
  readonly place?: number | undefined;
}

/** A list of a page whose entries are mostly known. */
export interface RecalledList {
  readonly entries: readonly PageEntry[];
  /** The offset behind the list. */
  readonly end: number;
}

/**
 * Remembers the entries of one list as they were read last: an entry whose bytes are the same is not read again, so that a
 * list costs as much as what has changed of it.
 */
export class EntryMemory {
  readonly #kind: EntryKind;
  #known = NONE;
  /** Entries of an earlier run that were not looked up yet: most lists are not read at the start. */
  #restored: readonly Descriptor[] = [];
  #era: Era | undefined;
  #transform: EntryTransform | undefined;

  constructor(kind: EntryKind) {
    this.#kind = kind;
  }

  /** Remembers the entries of an earlier run, which were read in this way. Faulty ones may have come with other bytes. */
  restore(kept: readonly Descriptor[], { era = 'legacy', transform }: EntryReading): void {
    this.#restored = kept.filter(({ schemaFaults }) => schemaFaults === undefined);
    this.#era = era;
    this.#transform = transform;
  }

  /** Begins to read the list. What is remembered stays until `keep` of the new reading. */
  begin(reading: EntryReading): RememberedReading {
    const { era = 'legacy', transform } = reading;
    if (this.#restored.length > 0) this.#known = knownOf(this.#restored);
    this.#restored = [];
    const isSameWay = era === this.#era && transform === this.#transform;
    return new RememberedReading(this.#kind, reading, isSameWay ? this.#known : NONE, (known) => {
      this.#known = known;
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
  readonly #entries: Descriptor[] = [];
  readonly #bytes: ByteString[] = [];
  readonly #places = new Map<ByteString, number>();
  readonly #onKeep: (known: KnownEntries) => void;
  /** The place of the entry that is expected next in the pages. */
  #next = 0;

  /** @param before the entries that were read before in the same way */
  constructor(kind: EntryKind, reading: EntryReading, before: KnownEntries, onKeep: (known: KnownEntries) => void) {
    this.#kind = kind;
    this.#reading = reading;
    this.#before = before;
    this.#onKeep = onKeep;
  }

  /**
   * Finds the entries of a list by comparing it with the last reading, many times faster than a scan: known bytes are a whole
   * object, so an entry that begins with them ends with them.
   * @param page JSON that was scanned before
   * @param start the offset of the list's bracket
   * @returns `undefined` if too many entries are others
   */
  recall(page: Buffer, start: number): RecalledList | undefined {
    if (this.#before.entries.length === 0) return undefined;
    const entries: PageEntry[] = [];
    let unexpected = 0;
    let at = pastWhitespace(page, start + 1);
    if (page[at] === CLOSE_BRACKET) return { entries, end: at + 1 };
    for (;;) {
      const expected = this.#expectedAt(page, at);
      if (expected === undefined && ++unexpected > MAX_UNEXPECTED) return undefined;
      const entry = expected ?? this.#scannedAt(page, at);
      entries.push(entry);
      this.#next = (entry.place ?? this.#next) + 1;
      at = pastWhitespace(page, entry.end);
      if (page[at] !== COMMA) return page[at] === CLOSE_BRACKET ? { entries, end: at + 1 } : undefined;
      at = pastWhitespace(page, at + 1);
    }
  }

  /** Returns an entry of a page: the same object as before where its bytes are the same. */
  read(page: Buffer, { start, end, place }: PageEntry): Descriptor | SkippedEntry {
    const before = this.#before;
    const bytes = place === undefined ? page.latin1Slice(start, end) : before.bytes[place]!;
    const known = place ?? before.places.get(bytes);
    const entry =
      known === undefined ? readEntry(this.#kind, page, { start, end }, this.#reading) : before.entries[known]!;
    if (isDescriptor(entry)) this.#remember(entry, known === undefined ? ownBytes(entry, bytes) : before.bytes[known]!);
    return entry;
  }

  /** The list was read to its end: its entries are those to remember. */
  keep(): void {
    this.#onKeep({ entries: this.#entries, bytes: this.#bytes, places: this.#places });
  }

  #remember(entry: Descriptor, bytes: ByteString): void {
    this.#places.set(bytes, this.#entries.length);
    this.#entries.push(entry);
    this.#bytes.push(bytes);
  }

  #expectedAt(page: Buffer, at: number): PageEntry | undefined {
    const bytes = this.#before.bytes[this.#next];
    if (bytes === undefined) return undefined;
    const end = at + bytes.length;
    return end <= page.length && page.latin1Slice(at, end) === bytes
      ? { start: at, end, place: this.#next }
      : undefined;
  }

  #scannedAt(page: Buffer, at: number): PageEntry {
    const end = valueEndAt(page, at);
    return { start: at, end, place: this.#before.places.get(page.latin1Slice(at, end)) };
  }
}

function knownOf(entries: readonly Descriptor[]): KnownEntries {
  const bytes = entries.map(({ text, source }) => source ?? text);
  return { entries, bytes, places: new Map(bytes.map((own, place) => [own, place])) };
}

/** The bytes are not held twice where the entry has them. */
function ownBytes({ text, source }: Descriptor, bytes: ByteString): ByteString {
  const own = source ?? text;
  return own === bytes ? own : bytes;
}
