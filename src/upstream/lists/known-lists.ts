import {
  type Descriptor,
  EMPTY_LISTING,
  type EntryKind,
  type Listing,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { KeptListing, type KeptListingOptions } from './kept-listing.ts';
import { areSame } from './list-difference.ts';
import { ListFindings } from './list-findings.ts';
import { ENTRY_KINDS } from './list-methods.ts';
import { OfferedListing } from './offered-listing.ts';
import type { ToolPinsOptions } from './pins/tool-pins.ts';
import type { ReadList } from './read-list.ts';

const DENIED = 'tools.allow and tools.deny of its entry do not let it pass';

export interface KnownListsHost extends ToolPinsOptions, KeptListingOptions {
  readonly entry: KeptListingOptions['entry'];
  /** Returns whether clients may see a tool by this name. */
  readonly accepts: (toolName: string) => boolean;
  /** The offered lists, or the kinds that are known, have changed. */
  onChanged(): void;
}

/** The lists of an upstream as they were read last, now or in an earlier run, and what of them is offered. */
export class KnownLists {
  /** The faults of these lists. */
  readonly findings: ListFindings;
  readonly #host: KnownListsHost;
  readonly #kept: KeptListing;
  readonly #offered: OfferedListing;
  /** The lists that the config allows, before the pins. */
  #read: Listing = EMPTY_LISTING;
  readonly #known = new Set<EntryKind>();

  constructor(host: KnownListsHost) {
    this.#host = host;
    this.findings = new ListFindings(host.log);
    this.#kept = new KeptListing(host);
    this.#offered = new OfferedListing(host);
    this.#restore();
  }

  /** The lists that are offered. */
  get listing(): Listing {
    return this.#offered.listing;
  }

  /** Returns whether a list was read at least once, now or in an earlier run; without a kind: whether all were. */
  isKnown(kind?: EntryKind): boolean {
    return kind === undefined ? ENTRY_KINDS.every((one) => this.#known.has(one)) : this.#known.has(kind);
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
    const tool = this.#toolOf(ownName);
    return tool?.source ?? tool?.text;
  }

  /** Hashes a tool that is being read: with `take`, all tools of a list would be hashed at once. */
  prepare(entry: Descriptor): void {
    if (entry.kind === 'tool') this.#offered.prepare(entry);
  }

  /** A list was read to its end. */
  take(kind: EntryKind, list: ReadList): void {
    const isFirst = !this.#known.has(kind);
    this.#known.add(kind);
    const isChanged = this.#keep(kind, list);
    if (kind === 'tool') this.#offered.reviewRead(this.#read.tool, list.filtered);
    if (isChanged || isFirst || this.#kept.isUnread)
      this.#kept.save(this.#read, this.#known, (tool) => this.#offered.hashOf(tool));
    if (this.#offered.update(this.#read) || isFirst) this.#host.onChanged();
  }

  /** Takes some pages of a list that could not be read to its end: better than nothing, but not better than a whole list. */
  takePart(kind: EntryKind, list: ReadList): void {
    if (this.#known.has(kind)) return;
    this.#keep(kind, list);
    // Nothing is approved by a list of which nobody has seen the end.
    if (kind === 'tool') this.#offered.reviewKnown(this.#read.tool);
    this.#update();
  }

  /** Called when somebody has approved tools: withheld ones may be offered now. */
  onPinsChanged(): void {
    this.#offered.reviewKnown(this.#read.tool);
    this.#update();
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    this.#allow([...this.#read.tool, ...this.findings.denied]);
    this.onPinsChanged();
  }

  /** Offers a tool without its output schema, until the upstream changes the tool. Returns whether that is news. */
  withdrawOutputSchema(toolName: string): boolean {
    const tool = this.#toolOf(toolName);
    if (tool === undefined || !this.#offered.withdrawOutputSchema(tool)) return false;
    this.#update();
    return true;
  }

  #toolOf(name: string): Descriptor | undefined {
    return this.#read.tool.find(({ ownName }) => ownName === name);
  }

  /** Takes over a list. Returns whether its entries differ from those of before. */
  #keep(kind: EntryKind, list: ReadList): boolean {
    this.findings.take(kind, list);
    if (areSame(this.#read[kind], list.entries)) return false;
    this.#read = { ...this.#read, [kind]: list.entries };
    return true;
  }

  /** Divides tools into those that the config allows and those that it denies. */
  #allow(tools: readonly Descriptor[]): void {
    const { accepts } = this.#host;
    this.findings.setDenied(tools.filter(({ ownName }) => !accepts(ownName)));
    this.#read = { ...this.#read, tool: tools.filter(({ ownName }) => accepts(ownName)) };
  }

  #update(): void {
    if (this.#offered.update(this.#read)) this.#host.onChanged();
  }

  #restore(): void {
    const restored = this.#kept.load((tool, hash) => this.#offered.restoreHash(tool, hash));
    if (restored === undefined) return;
    this.#read = restored.listing;
    this.#allow(restored.listing.tool);
    this.findings.noteTools(this.#read.tool);
    this.#offered.reviewKnown(this.#read.tool);
    // Nobody was told of other lists before.
    this.#offered.update(this.#read);
    for (const kind of restored.kinds) this.#known.add(kind);
  }
}
