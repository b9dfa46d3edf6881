import {
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type ListSource,
  type NamedProvider,
  type Provider,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { UpstreamEntry, UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import { Misfits } from '../status/misfits.ts';
import type { Shown } from './shown.ts';

/** The parts of an upstream that do not depend on the kind of connection. */
interface OfferingOptions {
  readonly entry: UpstreamEntry;
  readonly traits: Pick<UpstreamTraits, 'workflow'>;
  readonly log: Log;
  /** Shared by all its processes; it keeps its own if absent. */
  readonly misfits?: Misfits;
}

/**
 * An upstream as a source of lists: it offers what one `Shown` says, which may be another one each time. Subclasses say which
 * it is, and what becomes of calls.
 */
export abstract class OfferingUpstream implements NamedProvider, ListSource {
  readonly kind = 'upstream';
  readonly id: string;
  /** The workflow that brings it along: clients that may see that workflow may see the upstream. */
  readonly workflow: string | undefined;
  protected readonly misfits: Misfits;
  readonly #entry: UpstreamEntry;

  constructor({ entry, traits, log, misfits }: OfferingOptions) {
    this.id = entry.key;
    this.workflow = traits.workflow;
    this.#entry = entry;
    this.misfits = misfits ?? new Misfits(log);
  }

  /** The current offer; `undefined` if nothing is offered and nothing is known. */
  protected abstract get shown(): Shown | undefined;

  get prefix(): string {
    return this.#entry.prefix;
  }

  get validation(): Provider['validation'] {
    return this.#entry.validation;
  }

  listing(): Listing {
    return this.shown?.listing() ?? EMPTY_LISTING;
  }

  isKnown(kind?: EntryKind): boolean {
    return this.shown?.isKnown(kind) ?? false;
  }

  era(): Era | undefined {
    return this.shown?.era();
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.shown?.declared();
  }

  withheld(): readonly WithheldEntry[] {
    return this.shown?.withheld() ?? [];
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return this.shown?.acceptsUnlisted(kind, ownName) ?? false;
  }

  instructions(): string | undefined {
    return this.shown?.instructions();
  }

  onMisfit(toolName: string, problem: string): void {
    this.misfits.onArguments(toolName, problem);
  }
}
