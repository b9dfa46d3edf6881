import type { Descriptor, EntryKind, Listing, WithheldEntry } from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { KeptListing, type KeptListingOptions, type RestoredListing } from './kept-listing.ts';
import type { ListFindings } from './list-findings.ts';
import { OfferedListing } from './offered-listing.ts';
import type { ToolPinsOptions } from './pins/tool-pins.ts';
import type { ReadList } from './read-list.ts';
import { ReadListing, type ReadListingOptions } from './read-listing.ts';

const DENIED = 'tools.allow and tools.deny of its entry do not let it pass';

export interface KnownListsHost extends ToolPinsOptions, KeptListingOptions, ReadListingOptions {
  readonly entry: KeptListingOptions['entry'];
  /** Lists of an earlier run are known. */
  onRestored(restored: RestoredListing): void;
  /** The offered lists, or the kinds that are known, have changed. */
  onChanged(): void;
}

/** The lists of an upstream as they were read last, now or in an earlier run, and what of them is offered. */
export class KnownLists {
  readonly #host: Pick<KnownListsHost, 'onChanged'>;
  readonly #kept: KeptListing;
  readonly #read: ReadListing;
  readonly #offered: OfferedListing;

  constructor(host: KnownListsHost) {
    this.#host = host;
    this.#kept = new KeptListing(host);
    this.#read = new ReadListing(host);
    this.#offered = new OfferedListing(host);
    const restored = this.#kept.load((tool, hash) => this.#offered.restoreHash(tool, hash));
    if (restored === undefined) return;
    host.onRestored(restored);
    this.#read.restore(restored);
    this.#offered.reviewKnown(this.#read.listing.tool);
    // Clients were told of no other lists before.
    this.#offered.update(this.#read.listing);
  }

  /** The lists that are offered. */
  get listing(): Listing {
    return this.#offered.listing;
  }

  /** Returns whether a list was read at least once, now or in an earlier run; without a kind: whether all were. */
  isKnown(kind?: EntryKind): boolean {
    return this.#read.isKnown(kind);
  }

  /** The faults of the lists. */
  get findings(): ListFindings {
    return this.#read.findings;
  }

  /** The entries of the last lists that clients do not get. */
  get withheld(): readonly WithheldEntry[] {
    const { skipped, denied } = this.findings;
    return [
      ...skipped.map(({ kind, name, reason }) => ({ kind, name, reason: 'unusable', detail: reason }) as const),
      ...denied.map(({ ownName }) => ({ kind: 'tool', name: ownName, reason: 'filtered', detail: DENIED }) as const),
      ...this.#offered.withheld,
    ];
  }

  get trust(): Pick<UpstreamStatus, 'pins' | 'suspicious'> {
    return { pins: this.#offered.pinCounts, suspicious: this.findings.suspicious };
  }

  /** Returns whether the pins let a tool be called that is not listed. */
  acceptsUnlisted(toolName: string): boolean {
    return this.#offered.acceptsUnlisted(toolName);
  }

  /** Returns the JSON of a tool, as the upstream wrote it. */
  toolText(ownName: string): ByteString | undefined {
    const tool = this.#read.tool(ownName);
    return tool?.source ?? tool?.text;
  }

  /** Hashes a tool that is being read: with `take`, all tools of a list would be hashed at once. */
  prepare(entry: Descriptor): void {
    if (entry.kind === 'tool') this.#offered.prepare(entry);
  }

  /** A list was read to its end. */
  take(kind: EntryKind, list: ReadList): void {
    const isFirst = !this.#read.isKnown(kind);
    const isChanged = this.#read.take(kind, list);
    if (kind === 'tool') this.#offered.reviewRead(this.#read.listing.tool, list.filtered);
    if (isChanged || isFirst || this.#kept.isUnread)
      this.#kept.save(this.#read.listing, this.#read.known, (tool) => this.#offered.hashOf(tool));
    if (this.#offered.update(this.#read.listing) || isFirst) this.#host.onChanged();
  }

  /** Keeps the lists for the next run, as they are now, and what is noted of their tools. */
  flush(): void {
    this.#kept.flush();
    this.#offered.flush();
  }

  /** Takes some pages of a list that could not be read to its end: better than nothing, but not better than a whole list. */
  takePart(kind: EntryKind, list: ReadList): void {
    if (this.#read.isKnown(kind)) return;
    this.#read.takePart(kind, list);
    // An incomplete list approves nothing.
    if (kind === 'tool') this.#offered.reviewKnown(this.#read.listing.tool);
    this.#update();
  }

  /** Called when a user has approved tools: withheld ones may be offered now. */
  onPinsChanged(): void {
    this.#offered.reviewKnown(this.#read.listing.tool);
    this.#update();
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    this.#read.onRulesChanged();
    this.onPinsChanged();
  }

  /** Offers a tool without its output schema, until the upstream changes the tool. Returns whether that is news. */
  withdrawOutputSchema(toolName: string): boolean {
    const tool = this.#read.tool(toolName);
    if (tool === undefined || !this.#offered.withdrawOutputSchema(tool)) return false;
    this.#update();
    return true;
  }

  #update(): void {
    if (this.#offered.update(this.#read.listing)) this.#host.onChanged();
  }
}
