import { type Descriptor, EMPTY_LISTING, type Listing, type WithheldEntry } from '../../core/providers/provider.ts';
import type { PinCounts } from '../../core/providers/provider-status.ts';
import { areSame } from './list-difference.ts';
import { ENTRY_KINDS } from './list-methods.ts';
import { NOTHING_REVIEWED, type Review, ToolPins, type ToolPinsOptions } from './pins/tool-pins.ts';
import { WithdrawnSchemas } from './schemas/withdrawn-schemas.ts';

/** The part of the lists that is offered: the tools that the pins let pass, without schemas that were withdrawn. */
export class OfferedListing {
  readonly #pins: ToolPins;
  readonly #withdrawn = new WithdrawnSchemas();
  #review: Review = NOTHING_REVIEWED;
  #listing: Listing = EMPTY_LISTING;

  constructor(options: ToolPinsOptions) {
    this.#pins = new ToolPins(options);
  }

  get listing(): Listing {
    return this.#listing;
  }

  /** The tools that the pins hold back. */
  get withheld(): readonly WithheldEntry[] {
    return this.#review.withheld;
  }

  get pinCounts(): PinCounts {
    return this.#review.counts;
  }

  /** Returns whether the pins let a tool be called that is not listed. */
  acceptsUnlisted(toolName: string): boolean {
    return this.#pins.acceptsUnlisted(toolName);
  }

  /** Hashes a tool that will be reviewed. */
  prepare(tool: Descriptor): void {
    this.#pins.prepare(tool);
  }

  /** Returns the hash of a tool that was reviewed; `undefined` if it was not. */
  hashOf(tool: Descriptor): string | undefined {
    return this.#pins.hashOf(tool);
  }

  /** Takes the hash of a tool of an earlier run. */
  restoreHash(tool: Descriptor, hash: string): void {
    this.#pins.restore(tool, hash);
  }

  /** Reviews tools that were read just now, to the end of their list: what differs is noted. */
  reviewRead(tools: readonly Descriptor[], denied: readonly Descriptor[]): void {
    this.#review = this.#pins.reviewRead(tools, denied);
  }

  /** Reviews tools without noting anything: they were known before, or their list has no end. */
  reviewKnown(tools: readonly Descriptor[]): void {
    this.#review = this.#pins.reviewKnown(tools);
  }

  /** Stores what is noted of tools and not stored yet. */
  flush(): void {
    this.#pins.flush();
  }

  /** Offers a tool without its output schema from the next `update` on, until the tool changes. Returns whether that is news. */
  withdrawOutputSchema(tool: Descriptor): boolean {
    return this.#withdrawn.add(tool);
  }

  /** Offers of these lists what the last review lets pass. Returns whether that differs from what was offered. */
  update(read: Listing): boolean {
    const offered = this.#withdrawn.applyTo(this.#review.offered);
    const listing = offered === read.tool ? read : { ...read, tool: offered };
    if (ENTRY_KINDS.every((kind) => areSame(this.#listing[kind], listing[kind]))) return false;
    this.#listing = listing;
    return true;
  }
}
