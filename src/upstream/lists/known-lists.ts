import {
  type Descriptor,
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { EraCache } from '../../core/stores/era-cache.ts';
import type { ListingCache } from '../../core/stores/listing-cache.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { EntryTransform, SkippedEntry } from './entries/entry-reader.ts';
import { logFirst } from './entries/log-first.ts';
import { SuspiciousTools } from './entries/suspicious-tools.ts';
import { areSame } from './list-difference.ts';
import { ENTRY_KINDS } from './list-methods.ts';
import { NOTHING_REVIEWED, type Review, ToolPins, type ToolPinsOptions } from './pins/tool-pins.ts';
import { NO_ENTRIES, type ReadList } from './read-list.ts';
import { FaultySchemas } from './schemas/faulty-schemas.ts';
import { WithdrawnSchemas } from './schemas/withdrawn-schemas.ts';
import { fromStored, toStored } from './stored-listing.ts';

const DENIED = 'tools.allow and tools.deny of its entry do not let it pass';

export interface KnownListsHost extends ToolPinsOptions {
  readonly entry: UpstreamEntry;
  readonly cache: ListingCache;
  readonly eras: EraCache;
  /** Whether clients may see a tool by this name. */
  readonly accepts: (toolName: string) => boolean;
  readonly transform: EntryTransform | undefined;
  /** What is offered, or whether it is known, differs from before. */
  onChanged(): void;
}

/** The lists of an upstream as they were read last, now or in an earlier run, and what of them is offered. */
export class KnownLists {
  readonly #host: KnownListsHost;
  readonly #pins: ToolPins;
  /** What the config allows, before the pins. */
  #read: Listing = EMPTY_LISTING;
  #review: Review = NOTHING_REVIEWED;
  #listing: Listing = EMPTY_LISTING;
  readonly #known = new Set<EntryKind>();
  readonly #lists = new Map<EntryKind, ReadList>();
  readonly #suspicious: SuspiciousTools;
  readonly #faulty: FaultySchemas;
  readonly #withdrawn = new WithdrawnSchemas();
  /** The kept lists are texts only, as another version of the program has left them: each start would read them again. */
  #isUnread = false;

  constructor(host: KnownListsHost) {
    this.#host = host;
    this.#pins = new ToolPins(host);
    this.#suspicious = new SuspiciousTools(host.log);
    this.#faulty = new FaultySchemas(host.log);
    this.#restore();
  }

  /** What is offered. */
  get listing(): Listing {
    return this.#listing;
  }

  /** Whether a list was read at least once, now or in an earlier run; without a kind: whether all were. */
  isKnown(kind?: EntryKind): boolean {
    return kind === undefined ? ENTRY_KINDS.every((one) => this.#known.has(one)) : this.#known.has(kind);
  }

  get skipped(): readonly SkippedEntry[] {
    return [...this.#lists.values()].flatMap((list) => list.skipped);
  }

  /** What was wrong with lists that were read all the same. */
  get remarks(): readonly string[] {
    return [...this.#lists.values()].flatMap(({ remark }) => (remark === undefined ? [] : [remark]));
  }

  /** What the last lists had and clients do not get. */
  get withheld(): readonly WithheldEntry[] {
    const filtered = this.#lists.get('tool')?.filtered ?? [];
    return [
      ...this.skipped.map(({ kind, name, reason }) => ({ kind, name, reason: 'unusable', detail: reason }) as const),
      ...filtered.map(({ ownName }) => ({ kind: 'tool', name: ownName, reason: 'filtered', detail: DENIED }) as const),
      ...this.#review.withheld,
    ];
  }

  get trust(): Pick<UpstreamStatus, 'pins' | 'suspicious'> {
    return { pins: this.#review.counts, suspicious: this.#suspicious.names };
  }

  /** Where schemas of the tools that were read are not valid. */
  get schemaFaults(): UpstreamStatus['schemaFaults'] {
    return this.#faulty.faults;
  }

  /** Whether the pins let a tool be called that is not listed. */
  acceptsUnlisted(toolName: string): boolean {
    return this.#pins.acceptsUnlisted(toolName);
  }

  /** The JSON of a tool, as the upstream wrote it. */
  toolText(ownName: string): ByteString | undefined {
    const tool = this.#read.tool.find((one) => one.ownName === ownName);
    return tool?.source ?? tool?.text;
  }

  /** Hashes a tool that is being read: with `take`, all tools of a list would be hashed at once. */
  prepare(entry: Descriptor): void {
    if (entry.kind === 'tool') this.#pins.prepare(entry);
  }

  /** A list was read to its end. */
  take(kind: EntryKind, list: ReadList): void {
    const isFirst = !this.#known.has(kind);
    this.#known.add(kind);
    const isChanged = this.#keep(kind, list);
    if (kind === 'tool') this.#review = this.#pins.reviewRead(this.#read.tool, list.filtered);
    if (isChanged || isFirst || this.#isUnread) this.#save();
    if (this.#offer() || isFirst) this.#host.onChanged();
  }

  /** Some pages of a list, which could not be read to its end: better than nothing, and not better than a whole list. */
  takePart(kind: EntryKind, list: ReadList): void {
    if (this.#known.has(kind)) return;
    this.#keep(kind, list);
    // Nothing is approved by a list of which nobody has seen the end.
    if (kind === 'tool') this.#review = this.#pins.reviewKnown(this.#read.tool);
    if (this.#offer()) this.#host.onChanged();
  }

  /** Somebody approved tools: what was withheld may be offered now. */
  onPinsChanged(): void {
    this.#review = this.#pins.reviewKnown(this.#read.tool);
    if (this.#offer()) this.#host.onChanged();
  }

  /** The rules of its entry are others now. */
  onRulesChanged(): void {
    const { accepts } = this.#host;
    const list = this.#lists.get('tool') ?? NO_ENTRIES;
    const all = [...this.#read.tool, ...list.filtered];
    const filtered = all.filter(({ ownName }) => !accepts(ownName));
    this.#lists.set('tool', { ...list, filtered });
    this.#read = { ...this.#read, tool: all.filter(({ ownName }) => accepts(ownName)) };
    this.onPinsChanged();
  }

  /** Offers a tool without its output schema, until the upstream changes the tool. Tells whether that is news. */
  withdrawOutputSchema(toolName: string): boolean {
    const tool = this.#read.tool.find(({ ownName }) => ownName === toolName);
    if (tool === undefined || !this.#withdrawn.add(tool)) return false;
    if (this.#offer()) this.#host.onChanged();
    return true;
  }

  #save(): void {
    const { entry, cache, transform } = this.#host;
    const era = transform === undefined ? expectedEra(this.#host) : undefined;
    this.#isUnread = false;
    cache.save(entry, toStored(this.#read, this.#known, { era, pinHashOf: (tool) => this.#pins.hashOf(tool) }));
  }

  #keep(kind: EntryKind, list: ReadList): boolean {
    this.#logSkipped(kind, list.skipped);
    this.#lists.set(kind, list);
    if (kind === 'tool') this.#note(list.entries);
    if (areSame(this.#read[kind], list.entries)) return false;
    this.#read = { ...this.#read, [kind]: list.entries };
    return true;
  }

  #note(tools: readonly Descriptor[]): void {
    this.#suspicious.note(tools);
    this.#faulty.note(tools);
  }

  /** Logs what was not skipped when the list was read before. */
  #logSkipped(kind: EntryKind, skipped: readonly SkippedEntry[]): void {
    const { log } = this.#host;
    const before = new Set(this.#lists.get(kind)?.skipped.map(wordsOf));
    logFirst(
      skipped.filter((entry) => !before.has(wordsOf(entry))),
      ({ name, reason }) => log.warn({ event: 'entry-skipped', kind, name, reason }, `a ${kind} cannot be offered`),
      (more) => log.warn({ event: 'entry-skipped', kind, more }, `more entries of this list cannot be offered`),
    );
  }

  /** Takes over what the review lets pass; tells whether that differs from what was offered. */
  #offer(): boolean {
    const offered = this.#withdrawn.applyTo(this.#review.offered);
    const listing = offered === this.#read.tool ? this.#read : { ...this.#read, tool: offered };
    if (ENTRY_KINDS.every((kind) => areSame(this.#listing[kind], listing[kind]))) return false;
    this.#listing = listing;
    return true;
  }

  #restore(): void {
    const { entry, cache, transform, accepts } = this.#host;
    const stored = cache.load(entry);
    if (stored === undefined) return;
    this.#isUnread = stored.readings === undefined && transform === undefined;
    const reading = { transform, era: expectedEra(this.#host) };
    const listing = fromStored(stored, reading, (tool, hash) => this.#pins.restore(tool, hash));
    const tool = listing.tool.filter(({ ownName }) => accepts(ownName));
    this.#read = { ...listing, tool };
    this.#lists.set('tool', { ...NO_ENTRIES, filtered: listing.tool.filter(({ ownName }) => !accepts(ownName)) });
    this.#note(tool);
    this.#review = this.#pins.reviewKnown(tool);
    this.#offer();
    for (const kind of ENTRY_KINDS) if (stored[kind] !== undefined) this.#known.add(kind);
  }
}

const wordsOf = ({ name, reason }: SkippedEntry): string => JSON.stringify([name, reason]);

/** Returns the era of the upstream at the time its lists were kept, as far as it is known. */
function expectedEra({ entry, eras }: Pick<KnownListsHost, 'entry' | 'eras'>): Era {
  if (entry.era !== 'auto') return entry.era === 'legacy' ? 'legacy' : 'modern';
  return eras.load(entry)?.era ?? 'legacy';
}
