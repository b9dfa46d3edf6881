import type { Descriptor, WithheldEntry } from '../../../core/providers/provider.ts';
import type { PinCounts } from '../../../core/providers/provider-status.ts';
import { definitionText } from '../../../core/stores/definition-text.ts';
import type { PinBook, PinStore } from '../../../core/stores/pin-store.ts';
import { type DifferenceLog, logDifferences } from './log-differences.ts';
import { PinNotes } from './pin-notes.ts';
import {
  approveAll,
  differingMembers,
  hashedTool,
  type Judgement,
  judge,
  note,
  type PresentTool,
  presentTool,
} from './pins.ts';

export interface ToolPinsOptions extends DifferenceLog {
  readonly pins: Pick<PinStore, 'load' | 'save'>;
}

export interface Review {
  readonly offered: readonly Descriptor[];
  readonly withheld: readonly WithheldEntry[];
  readonly counts: PinCounts;
}

export const NOTHING_REVIEWED: Review = { offered: [], withheld: [], counts: { changed: 0, new: 0, withheld: 0 } };

/** Holds the tools of an upstream against what was approved of them, each time that its list is read. */
export class ToolPins {
  readonly #options: ToolPinsOptions;
  /** The tools of the last review, so that a list that stays the same is not hashed again. */
  #present = new Map<string, { readonly json: string; readonly tool: PresentTool }>();
  /** Hashed while their list is read. */
  readonly #prepared = new WeakMap<Descriptor, PresentTool>();
  #book: PinBook | undefined;
  readonly #notes: PinNotes;
  /**
   * The pins were damaged and are empty now: what is read next counts as the first list, or, where nothing may be
   * trusted, what is known is noted as new.
   */
  #isLost = false;

  constructor(options: ToolPinsOptions) {
    this.#options = options;
    this.#notes = new PinNotes({
      store: options.pins,
      upstream: options.entry.key,
      noted: (pins) => this.#notedIn(pins),
    });
  }

  /** Hashes a tool that will be reviewed. To hash all tools of a long list at once would take seconds. */
  prepare(tool: Descriptor): void {
    if (this.#options.entry.pins === 'off' || this.#present.get(tool.ownName)?.json === jsonOf(tool)) return;
    const present = presentToolOf(tool);
    this.#prepared.set(tool, present);
    // All tools of a first list are kept.
    if (this.#book === undefined) definitionText(present.definition);
  }

  /** Returns the hash of a tool that was reviewed, or `undefined`: with it, `restore` spares the next start to hash the tool. */
  hashOf(tool: Descriptor): string | undefined {
    const known = this.#present.get(tool.ownName);
    return known?.json === jsonOf(tool) ? known.tool.hash : undefined;
  }

  /** Takes the hash of a tool of an earlier run. A list that is read is hashed all the same. */
  restore(tool: Descriptor, hash: string): void {
    this.#prepared.set(
      tool,
      hashedTool(tool.ownName, hash, () => textOf(tool)),
    );
  }

  /** A list that was read just now: what differs is noted and logged. `denied` are tools that the config denies. */
  reviewRead(tools: readonly Descriptor[], denied: readonly Descriptor[]): Review {
    return this.#review(tools, () => this.#pinsForRead(tools, denied), true);
  }

  /** A list of an earlier run, or one that was reviewed before and whose pins have changed. */
  reviewKnown(tools: readonly Descriptor[]): Review {
    return this.#review(tools, () => this.#storedPins(), false);
  }

  /** Stores notes that are not stored yet. */
  flush(): void {
    this.#notes.flush();
  }

  /** Returns whether a tool that is not listed may be called. */
  acceptsUnlisted(name: string): boolean {
    return this.#options.entry.pins !== 'enforce' || this.#book === undefined || isApproved(this.#book, name);
  }

  #review(tools: readonly Descriptor[], load: () => PinBook | undefined, isRead: boolean): Review {
    const { entry } = this.#options;
    this.#book = entry.pins === 'off' ? undefined : load();
    if (this.#book === undefined) return { ...NOTHING_REVIEWED, offered: tools };
    const present = this.#presentTools(tools);
    let judgement = judge(this.#book, present);
    if (isRead || this.#isLost) {
      const judged = this.#book;
      this.#note(judged, judgement);
      if (this.#book !== judged) judgement = judge(this.#book, present);
    }
    this.#isLost = false;
    const book = this.#book;
    const { changed, added } = judgement;
    const counts = { changed: changed.length, new: added.length };
    if (entry.pins === 'warn') return { offered: tools, withheld: [], counts: { ...counts, withheld: 0 } };
    const differing = new Map([...changed, ...added].map((tool) => [tool.name, tool]));
    return {
      offered: tools.filter((tool) => !differing.has(tool.ownName)),
      withheld: [...differing.values()].map((tool) => withheldEntry(entry.key, book, tool)),
      counts: { ...counts, withheld: differing.size },
    };
  }

  #presentTools(tools: readonly Descriptor[]): PresentTool[] {
    const present = tools.map((descriptor) => {
      const json = jsonOf(descriptor);
      const known = this.#present.get(descriptor.ownName);
      return known?.json === json ? known : { json, tool: this.#prepared.get(descriptor) ?? presentToolOf(descriptor) };
    });
    this.#present = new Map(present.map((one) => [one.tool.name, one]));
    return present.map(({ tool }) => tool);
  }

  #pinsForRead(tools: readonly Descriptor[], denied: readonly Descriptor[]): PinBook | undefined {
    const { entry, pins, log } = this.#options;
    const stored = this.#storedPins();
    const isFirst = stored === undefined && (this.#isLost || this.#notes.load() === 'none');
    // Servers that have no tools yet, because they wait for something, are not listed yet.
    if (!isFirst || tools.length + denied.length === 0) return stored;
    const approved = approveAll(this.#presentTools([...denied, ...tools]), now());
    pins.save(entry.key, approved);
    log.info({ event: 'pin-first', tools: approved.size }, 'listed for the first time: its tools count as approved');
    return approved;
  }

  /** `undefined` if nothing can be said of any tool; no pins at all where none may be trusted. */
  #storedPins(): PinBook | undefined {
    const stored = this.#notes.load();
    if (stored === 'none') return undefined;
    const isClosed = this.#options.entry.pins === 'enforce';
    if (stored === 'damaged') this.#isLost = true;
    if (typeof stored === 'string') return isClosed ? new Map() : undefined;
    return this.#isLost && !isClosed ? undefined : stored;
  }

  #note(book: PinBook, judgement: Judgement): void {
    const { pins: noted, fresh } = note(book, judgement, this.#options.entry.pins === 'enforce', now());
    logDifferences(this.#options, book, judgement, fresh);
    if (noted === book) return;
    const stored = this.#notes.load();
    if (stored === 'unreadable') return;
    // A command may have approved tools since the pins were read: to hash a long list takes time.
    const current = typeof stored === 'string' ? book : stored;
    this.#book = current === book ? noted : this.#notedIn(current);
    if (this.#book !== current) this.#notes.save(this.#book);
  }

  /** Returns these pins with what differs of the tools of the last review noted. */
  #notedIn(pins: PinBook): PinBook {
    const present = [...this.#present.values()].map(({ tool }) => tool);
    return note(pins, judge(pins, present), this.#options.entry.pins === 'enforce', now()).pins;
  }
}

/** Returns the entry of a tool that is withheld because it is not as it was approved. */
function withheldEntry(key: string, book: PinBook, tool: PresentTool): WithheldEntry {
  const approved = book.get(tool.name)?.approved;
  const what =
    approved === undefined
      ? 'it is new and has not been approved'
      : `its ${differingMembers(approved.definition, tool.definition).join(', ')} changed since it was approved`;
  const words = [key, ...commandWord(tool.name)].join(' ');
  const detail = `${what}. To see its present form: viaduct pins diff ${words}. To approve it: viaduct pins accept ${words}`;
  return { kind: 'tool', name: tool.name, reason: 'pinned', detail };
}

/** A name that a shell takes as it is; with any other the command is shown for all tools. */
function commandWord(name: string): string[] {
  return /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(name) ? [name] : [];
}

function isApproved(book: PinBook, name: string): boolean {
  return book.get(name)?.approved !== undefined;
}

/** Returns the JSON as the upstream wrote it. */
const jsonOf = ({ text, source }: Descriptor): string => source ?? text;

const textOf = (tool: Descriptor): string => Buffer.from(jsonOf(tool), 'latin1').toString('utf8');

function presentToolOf(tool: Descriptor): PresentTool {
  return presentTool(tool.ownName, textOf(tool));
}

function now(): string {
  return new Date().toISOString();
}
