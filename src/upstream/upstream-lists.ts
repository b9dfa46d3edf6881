import { coalesce } from '../core/coalesce.ts';
import { GatewayError } from '../core/errors.ts';
import type { ListingCache } from '../core/listing-cache.ts';
import { nameFilter } from '../core/name-filter.ts';
import { type Descriptor, EMPTY_LISTING, type EntryKind, type Listing, type WithheldEntry } from '../core/provider.ts';
import { throttle } from '../core/throttle.ts';
import type { UpstreamEntry } from '../core/upstream-entry.ts';
import type { Log } from '../telemetry/log.ts';
import type { SkippedEntry } from './entry-reader.ts';
import type { ServerFacts } from './handshake.ts';
import { addHints } from './hints.ts';
import type { Link } from './link.ts';
import { fromStored, toStored } from './stored-listing.ts';
import { differenceOf, ENTRY_KINDS, readLists, type SyncResult } from './sync.ts';

/** However often an upstream says that its list changed, it is read less than four times a second. */
const SYNC_LIMITS = { burst: 4, intervalMs: 300 };

const DENIED = 'tools.allow and tools.deny of its entry do not let it pass';

export interface UpstreamListsHost {
  readonly entry: UpstreamEntry;
  readonly cache: ListingCache;
  readonly log: Log;
  /** The lists were read. */
  onListed(): void;
  /** The lists differ from what was known. */
  onChanged(): void;
  /** The first sync after a connection is not answered. */
  onSilent(): void;
}

/** What an upstream offers: read when it connects and whenever it says so, remembered in between and between runs. */
export class UpstreamLists {
  readonly #host: UpstreamListsHost;
  readonly #accepts: (name: string) => boolean;
  readonly #changes = throttle(() => void this.#syncQuietly(), SYNC_LIMITS);
  readonly #sync = coalesce(() => this.#syncOnce());
  #listing: Listing = EMPTY_LISTING;
  #known = false;
  #source: { readonly link: Link; readonly facts: ServerFacts } | undefined;
  #silentTimer: NodeJS.Timeout | undefined;
  #skipped: readonly SkippedEntry[] = [];
  #filtered: readonly string[] = [];
  #errors: readonly string[] = [];
  #lastSync: number | undefined;

  constructor(host: UpstreamListsHost) {
    this.#host = host;
    this.#accepts = nameFilter(host.entry.tools);
    this.#restore();
  }

  /** The last known lists. */
  get listing(): Listing {
    return this.#listing;
  }

  /** Whether the lists were read at least once, now or in an earlier run. */
  get isKnown(): boolean {
    return this.#known;
  }

  get skipped(): readonly SkippedEntry[] {
    return this.#skipped;
  }

  /** What the last lists had and clients do not get. */
  get withheld(): readonly WithheldEntry[] {
    return [
      ...this.#skipped.map(({ kind, name, reason }) => ({ kind, name, reason: 'unusable', detail: reason }) as const),
      ...this.#filtered.map((name) => ({ kind: 'tool', name, reason: 'filtered', detail: DENIED }) as const),
    ];
  }

  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Milliseconds since the epoch. */
  get lastSync(): number | undefined {
    return this.#lastSync;
  }

  accepts(kind: EntryKind, ownName: string): boolean {
    return kind !== 'tool' || this.#accepts(ownName);
  }

  /** A connection is there: its lists are read at once. */
  attach(link: Link, facts: ServerFacts): void {
    this.#source = { link, facts };
    this.#silentTimer = setTimeout(() => this.#host.onSilent(), this.#host.entry.timeouts.listMs);
    void this.#syncQuietly();
  }

  detach(): void {
    this.#source = undefined;
    clearTimeout(this.#silentTimer);
    this.#changes.cancel();
  }

  /** The upstream says that a list changed. */
  onListChanged(): void {
    this.#changes.request();
  }

  /**
   * Reads the lists now.
   * @throws GatewayError when there is no connection, or it ends meanwhile.
   */
  sync(): Promise<void> {
    return this.#sync();
  }

  async #syncQuietly(): Promise<void> {
    try {
      await this.#sync();
    } catch (error) {
      // The connection ended; whoever owns it reports that.
      this.#host.log.debug({ error }, 'a sync was given up');
    }
  }

  async #syncOnce(): Promise<void> {
    const source = this.#source;
    const { key } = this.#host.entry;
    if (source === undefined)
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${key}: not connected`, { upstream: key });
    const result = await readLists(source.link, {
      upstream: key,
      capabilities: source.facts.capabilities,
      accepts: (kind, ownName) => this.accepts(kind, ownName),
      transform: this.#host.entry.inferHints ? addHints : undefined,
    });
    if (source !== this.#source)
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${key}: the connection was replaced`, { upstream: key });
    clearTimeout(this.#silentTimer);
    this.#take(result);
  }

  #take(result: SyncResult): void {
    const before = this.#listing;
    const after = mergeUnread(before, result);
    const differences = ENTRY_KINDS.map((kind) => differenceOf(before[kind], after[kind]));
    const reordered = ENTRY_KINDS.some((kind) => !sameOrder(before[kind], after[kind]));
    const firstTime = !this.#known;
    this.#known = true;
    this.#skipped = result.skipped;
    this.#filtered = result.filtered;
    this.#errors = result.errors;
    this.#lastSync = Date.now();
    for (const { kind, name, reason } of result.skipped)
      this.#host.log.warn({ event: 'entry-skipped', kind, name, reason }, `a ${kind} cannot be offered`);
    const changed = reordered || differences.some(({ added, updated, removed }) => added + updated + removed > 0);
    if (changed) this.#listing = after;
    if (changed || firstTime) this.#host.cache.save(this.#host.entry, toStored(after));
    this.#host.onListed();
    if (changed || firstTime) this.#host.onChanged();
  }

  #restore(): void {
    const stored = this.#host.cache.load(this.#host.entry);
    if (stored === undefined) return;
    const listing = fromStored(stored);
    this.#listing = { ...listing, tool: listing.tool.filter((tool) => this.#accepts(tool.ownName)) };
    this.#filtered = listing.tool.map((tool) => tool.ownName).filter((name) => !this.#accepts(name));
    this.#known = true;
  }
}

/** A list that was not answered is not an empty list. */
function mergeUnread(before: Listing, result: SyncResult): Listing {
  const listing: Record<EntryKind, readonly Descriptor[]> = { ...result.listing };
  for (const kind of result.unread) listing[kind] = before[kind];
  return listing;
}

function sameOrder(before: readonly Descriptor[], after: readonly Descriptor[]): boolean {
  return before.length === after.length && before.every((entry, index) => entry.ownName === after[index]!.ownName);
}
