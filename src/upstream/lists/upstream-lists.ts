import { coalesce } from '../../core/coalesce.ts';
import type { EraCache } from '../../core/era-cache.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ListingCache } from '../../core/listing-cache.ts';
import { nameFilter } from '../../core/name-filter.ts';
import {
  type Descriptor,
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type WithheldEntry,
} from '../../core/provider.ts';
import type { UpstreamStatus } from '../../core/provider-status.ts';
import { throttle } from '../../core/throttle.ts';
import { withTimeout } from '../../core/timeout.ts';
import type { UpstreamEntry } from '../../core/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { ServerFacts } from '../handshake.ts';
import type { Link } from '../link.ts';
import { NOTHING_REVIEWED, type Review, ToolPins, type ToolPinsOptions } from '../tool-pins.ts';
import { badParameterHeaders } from './bad-parameter-headers.ts';
import { type SkippedEntry, withoutOutputSchema } from './entry-reader.ts';
import { addHints } from './hints.ts';
import { fromStored, toStored } from './stored-listing.ts';
import { ENTRY_KINDS, readLists, type SyncResult } from './sync.ts';

/** However often an upstream says that its list changed, it is read less than four times a second. */
const SYNC_LIMITS = { burst: 4, intervalMs: 300 };

/** Lists that are good for less are read no more often than this all the same; a timer takes no more than the other. */
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

const DENIED = 'tools.allow and tools.deny of its entry do not let it pass';

export interface UpstreamListsHost extends ToolPinsOptions {
  readonly entry: UpstreamEntry;
  readonly cache: ListingCache;
  readonly eras: EraCache;
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
  readonly #pins: ToolPins;
  /** What the config allows, before the pins. */
  #read: Listing = EMPTY_LISTING;
  #review: Review = NOTHING_REVIEWED;
  #listing: Listing = EMPTY_LISTING;
  #known = false;
  #source: { readonly link: Link; readonly facts: ServerFacts } | undefined;
  #silentTimer: NodeJS.Timeout | undefined;
  /** When lists whose changes nobody announces are to be read again. */
  #expiry: NodeJS.Timeout | undefined;
  #skipped: readonly SkippedEntry[] = [];
  #filtered: readonly string[] = [];
  readonly #suspicious = new Set<string>();
  /** Tools whose results broke their output schema, and the fingerprint of the tool at that time. */
  readonly #withdrawn = new Map<string, string>();
  #errors: readonly string[] = [];
  #lastSync: number | undefined;

  constructor(host: UpstreamListsHost) {
    this.#host = host;
    this.#accepts = nameFilter(host.entry.tools);
    this.#pins = new ToolPins(host);
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
      ...this.#review.withheld,
    ];
  }

  get trust(): Pick<UpstreamStatus, 'pins' | 'suspicious'> {
    return { pins: this.#review.counts, suspicious: [...this.#suspicious] };
  }

  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Milliseconds since the epoch. */
  get lastSync(): number | undefined {
    return this.#lastSync;
  }

  /** Whether an entry that is not listed may be called all the same. */
  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return kind !== 'tool' || (this.#accepts(ownName) && this.#pins.acceptsUnlisted(ownName));
  }

  /** The JSON of a tool, as the upstream wrote it. */
  toolText(ownName: string): ByteString | undefined {
    const tool = this.#read.tool.find((one) => one.ownName === ownName);
    return tool?.source ?? tool?.text;
  }

  /** Somebody approved tools: what was withheld may be offered now. */
  onPinsChanged(): void {
    this.#review = this.#pins.reviewKnown(this.#read.tool);
    if (this.#offer()) this.#host.onChanged();
  }

  /**
   * Offers a tool without its output schema, until the upstream changes the tool. Tells whether that is news.
   */
  withdrawOutputSchema(toolName: string): boolean {
    const tool = this.#read.tool.find(({ ownName }) => ownName === toolName);
    if (tool === undefined || this.#withdrawn.get(toolName) === tool.fingerprint) return false;
    this.#withdrawn.set(toolName, tool.fingerprint);
    if (this.#offer()) this.#host.onChanged();
    return true;
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
    clearTimeout(this.#expiry);
    this.#changes.cancel();
  }

  /** The upstream says that a list changed. */
  onListChanged(): void {
    this.#changes.request();
  }

  /**
   * Reads the lists now.
   * @throws GatewayError when there is no connection, it ends meanwhile, or nobody answers in `timeouts.listMs`.
   */
  sync(): Promise<void> {
    const { key, timeouts } = this.#host.entry;
    const text = `${key}: the lists were not answered within ${timeouts.listMs / 1000} s`;
    const late = () => new GatewayError('UPSTREAM_TIMEOUT', text, { upstream: key });
    return withTimeout(this.#sync(), timeouts.listMs, late);
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
      accepts: (kind, ownName) => kind !== 'tool' || this.#accepts(ownName),
      transform: this.#transform,
      ...(this.#mirrorsParameters(source.facts) && { unusable: badParameterHeaders }),
    });
    if (source !== this.#source)
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${key}: the connection was replaced`, { upstream: key });
    clearTimeout(this.#silentTimer);
    this.#readAgainAfter(result.ttlMs);
    this.#take(result);
  }

  /** A server that says "not at all" gives no hint: its lists are read when it connects, like those of older ones. */
  #readAgainAfter(ttlMs: number | undefined): void {
    clearTimeout(this.#expiry);
    if (ttlMs === undefined || ttlMs === 0) return;
    const waitMs = Math.min(Math.max(ttlMs, MIN_TTL_MS), MAX_TTL_MS);
    this.#expiry = setTimeout(() => this.#changes.request(), waitMs).unref();
  }

  #take(result: SyncResult): void {
    const read = mergeUnread(this.#read, result);
    const isSame = ENTRY_KINDS.every((kind) => areSame(this.#read[kind], read[kind]));
    const firstTime = !this.#known;
    this.#known = true;
    if (!isSame) this.#read = read;
    this.#skipped = result.skipped;
    this.#filtered = result.filtered.map((tool) => tool.ownName);
    this.#errors = result.errors;
    this.#lastSync = Date.now();
    for (const { kind, name, reason } of result.skipped)
      this.#host.log.warn({ event: 'entry-skipped', kind, name, reason }, `a ${kind} cannot be offered`);
    this.#noteSuspicious(read.tool);
    this.#review = result.unread.includes('tool')
      ? this.#pins.reviewKnown(this.#read.tool)
      : this.#pins.reviewRead(this.#read.tool, result.filtered);
    if (!isSame || firstTime) this.#host.cache.save(this.#host.entry, toStored(this.#read));
    const changed = this.#offer();
    this.#host.onListed();
    if (changed || firstTime) this.#host.onChanged();
  }

  /** Takes over what the review lets pass; tells whether that differs from what was offered. */
  #offer(): boolean {
    const offered = this.#withoutWithdrawn(this.#review.offered);
    const listing = offered === this.#read.tool ? this.#read : { ...this.#read, tool: offered };
    if (ENTRY_KINDS.every((kind) => areSame(this.#listing[kind], listing[kind]))) return false;
    this.#listing = listing;
    return true;
  }

  #withoutWithdrawn(tools: readonly Descriptor[]): readonly Descriptor[] {
    if (this.#withdrawn.size === 0) return tools;
    return tools.map((tool) =>
      this.#withdrawn.get(tool.ownName) === tool.fingerprint ? withoutOutputSchema(tool) : tool,
    );
  }

  #noteSuspicious(tools: readonly Descriptor[]): void {
    const names = tools.filter((tool) => tool.isSuspicious === true).map((tool) => tool.ownName);
    for (const tool of names.filter((name) => !this.#suspicious.has(name)))
      this.#host.log.warn(
        { event: 'suspicious', tool },
        'a tool has invisible characters in names or values that are sent back to it; they stay as they are',
      );
    this.#suspicious.clear();
    for (const name of names) this.#suspicious.add(name);
  }

  #restore(): void {
    const stored = this.#host.cache.load(this.#host.entry);
    if (stored === undefined) return;
    const listing = fromStored(stored, { transform: this.#transform, era: this.#expectedEra() });
    this.#read = { ...listing, tool: listing.tool.filter((tool) => this.#accepts(tool.ownName)) };
    this.#filtered = listing.tool.map((tool) => tool.ownName).filter((name) => !this.#accepts(name));
    this.#noteSuspicious(this.#read.tool);
    this.#review = this.#pins.reviewKnown(this.#read.tool);
    this.#offer();
    this.#known = true;
  }

  /** Of which era the upstream was when its lists were kept, as far as anybody knows. */
  #expectedEra(): Era {
    const { entry, eras } = this.#host;
    if (entry.era !== 'auto') return entry.era === 'legacy' ? 'legacy' : 'modern';
    return eras.load(entry)?.era ?? 'legacy';
  }

  /** Over HTTP, modern servers want arguments in headers: a tool whose schema is wrong about that cannot be called. */
  #mirrorsParameters({ era }: ServerFacts): boolean {
    return this.#host.entry.type === 'http' && era === 'modern';
  }

  get #transform() {
    return this.#host.entry.inferHints ? addHints : undefined;
  }
}

/** A list that was not answered is not an empty list. */
function mergeUnread(before: Listing, result: SyncResult): Listing {
  const listing: Record<EntryKind, readonly Descriptor[]> = { ...result.listing };
  for (const kind of result.unread) listing[kind] = before[kind];
  return listing;
}

/** Whether lists have the same entries in the same order, for clients and as the upstream wrote them. */
function areSame(before: readonly Descriptor[], after: readonly Descriptor[]): boolean {
  return before.length === after.length && before.every((entry, index) => isSame(entry, after[index]!));
}

function isSame(before: Descriptor, after: Descriptor): boolean {
  return (
    before.ownName === after.ownName &&
    before.fingerprint === after.fingerprint &&
    before.source === after.source &&
    before.forLegacy?.text === after.forLegacy?.text &&
    before.forModern?.text === after.forModern?.text
  );
}
