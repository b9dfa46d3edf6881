import { type Descriptor, EMPTY_LISTING, type EntryKind, type Listing } from '../../core/providers/provider.ts';
import type { Log } from '../../telemetry/log.ts';
import type { RestoredListing } from './kept-listing.ts';
import { areSame } from './list-difference.ts';
import { ListFindings } from './list-findings.ts';
import { ENTRY_KINDS } from './list-methods.ts';
import type { ReadList } from './read-list.ts';

export interface ReadListingOptions {
  readonly log: Log;
  /** Returns whether clients may see a tool by this name. */
  readonly accepts: (toolName: string) => boolean;
}

/** The lists of an upstream as they were read last, now or in an earlier run: what the config allows, before the pins. */
export class ReadListing {
  /** The faults of these lists. */
  readonly findings: ListFindings;
  readonly #accepts: ReadListingOptions['accepts'];
  readonly #known = new Set<EntryKind>();
  #listing: Listing = EMPTY_LISTING;

  constructor({ log, accepts }: ReadListingOptions) {
    this.findings = new ListFindings(log);
    this.#accepts = accepts;
  }

  get listing(): Listing {
    return this.#listing;
  }

  /** The kinds of which a list was read to its end at least once. */
  get known(): Iterable<EntryKind> {
    return this.#known;
  }

  /** Returns whether the list of this kind is known; without a kind: whether all are. */
  isKnown(kind?: EntryKind): boolean {
    return kind === undefined ? ENTRY_KINDS.every((one) => this.#known.has(one)) : this.#known.has(kind);
  }

  /** Returns the tool of this name. */
  tool(name: string): Descriptor | undefined {
    return this.#listing.tool.find(({ ownName }) => ownName === name);
  }

  /** Takes over the lists of an earlier run. */
  restore({ listing, kinds }: RestoredListing): void {
    this.#listing = listing;
    this.#allow(listing.tool);
    this.findings.noteTools(this.#listing.tool);
    for (const kind of kinds) this.#known.add(kind);
  }

  /** Takes over a list that was read to its end. Returns whether its entries differ from those of before. */
  take(kind: EntryKind, list: ReadList): boolean {
    this.#known.add(kind);
    return this.takePart(kind, list);
  }

  /** Takes over some pages of a list, which does not make it known. Returns whether its entries differ from those of before. */
  takePart(kind: EntryKind, list: ReadList): boolean {
    this.findings.take(kind, list);
    if (areSame(this.#listing[kind], list.entries)) return false;
    this.#listing = { ...this.#listing, [kind]: list.entries };
    return true;
  }

  /** The config allows other tools now. */
  onRulesChanged(): void {
    this.#allow([...this.#listing.tool, ...this.findings.denied]);
  }

  /** Divides tools into those that the config allows and those that it denies. */
  #allow(tools: readonly Descriptor[]): void {
    this.findings.setDenied(tools.filter(({ ownName }) => !this.#accepts(ownName)));
    this.#listing = { ...this.#listing, tool: tools.filter(({ ownName }) => this.#accepts(ownName)) };
  }
}
