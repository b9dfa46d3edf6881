import type { Descriptor, EntryKind } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { TRANSPORTS } from '../transports/manifests/index.ts';
import { badParameterHeaders } from './entries/bad-parameter-headers.ts';
import { EntryMemory } from './entries/entry-memory.ts';
import { hintTransform } from './entries/hints.ts';
import type { RestoredListing } from './kept-listing.ts';
import type { Source } from './list-askers.ts';
import { ENTRY_KINDS, isAnnounced } from './list-methods.ts';
import { type ListOutcome, readList } from './read-list.ts';

/** The limit for all pages of a list together, as a multiple of the limit for one page. */
const SLOW_PAGES = 20;

export interface ListReaderHost {
  readonly entry: UpstreamEntry;
  /** Returns whether clients may see a tool by this name. */
  accepts(toolName: string): boolean;
  /** An entry was read. */
  onEntry(entry: Descriptor): void;
  /** A piece of the work on a list is done, which took this long in milliseconds. */
  onWork(ms: number): void;
}

/** Reads lists over a connection, by the rules of the upstream's entry and its server. */
export class ListReader {
  readonly #host: ListReaderHost;
  readonly #memories = new Map(ENTRY_KINDS.map((kind) => [kind, new EntryMemory(kind)]));

  constructor(host: ListReaderHost) {
    this.#host = host;
  }

  /** Remembers lists of an earlier run: what is the same is not read again. */
  restore({ listing, reading }: RestoredListing): void {
    for (const [kind, memory] of this.#memories) memory.restore(listing[kind], reading);
  }

  /** Reads a list to its end. Resolves to `undefined` when it was given up. Never rejects. */
  read(
    kind: EntryKind,
    { link, facts }: Source,
    signal: AbortSignal,
    onPage: () => void,
  ): Promise<ListOutcome | undefined> {
    const { entry } = this.#host;
    // Over HTTP, modern servers want arguments in headers: a tool whose schema is wrong about that cannot be called.
    const mirrorsParameters = TRANSPORTS.forSpelling(entry.type)?.repeatsArguments === true && facts.era === 'modern';
    return readList(link, kind, {
      upstream: entry.key,
      accepts: (ownName) => kind !== 'tool' || this.#host.accepts(ownName),
      transform: hintTransform(entry),
      memory: this.#memories.get(kind),
      unusable: mirrorsParameters ? badParameterHeaders : undefined,
      // If the server announces changes, polling is not needed.
      heedsTtl: !isAnnounced(kind, facts.capabilities),
      totalMs: entry.timeouts.listMs * SLOW_PAGES,
      signal,
      onPage,
      onEntry: (read) => this.#host.onEntry(read),
      onWork: (ms) => this.#host.onWork(ms),
    });
  }
}
