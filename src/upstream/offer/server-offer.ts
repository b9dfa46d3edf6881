import {
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { UpstreamCalls } from '../calls/upstream-calls.ts';
import type { Connection } from '../connection/connection.ts';
import { type ConnectionState, isOffering } from '../connection/machine.ts';
import type { PeerFaults } from '../connection/peer-faults.ts';
import type { StderrTail } from '../connection/stderr-tail.ts';
import type { DeclaredCapabilities } from '../extensions/declared-capabilities.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import type { Misfits } from '../status/misfits.ts';
import type { ServerRecord } from '../status/server-record.ts';
import { statusOf } from '../status/upstream-status.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import type { Shown } from './shown.ts';

/** The parts of an upstream that say what it offers and how it is. */
export interface OfferParts {
  readonly connection: Pick<Connection, 'state' | 'pid' | 'starts'>;
  readonly lists: UpstreamLists;
  readonly declared: Pick<DeclaredCapabilities, 'known'>;
  readonly record: ServerRecord;
  readonly calls: Pick<UpstreamCalls, 'counts'>;
  readonly faults: Pick<PeerFaults, 'counts'>;
  readonly stderr: Pick<StderrTail, 'last' | 'lastOfStart'>;
}

/** Says what one server offers, and how its connection is. */
export class ServerOffer implements Shown {
  readonly #options: Pick<UpstreamOptions, 'entry' | 'asking' | 'mask'>;
  readonly #parts: OfferParts;
  readonly #misfits: Misfits;

  constructor(options: Pick<UpstreamOptions, 'entry' | 'asking' | 'mask'>, parts: OfferParts, misfits: Misfits) {
    this.#options = options;
    this.#parts = parts;
    this.#misfits = misfits;
  }

  get state(): ConnectionState {
    return this.#parts.connection.state;
  }

  listing(): Listing {
    const { connection, lists } = this.#parts;
    return isOffering(connection.state, this.#options.entry.restart) ? lists.known.listing : EMPTY_LISTING;
  }

  /** The last known lists, even if the connection has ended. */
  get knownListing(): Listing {
    return this.#parts.lists.known.listing;
  }

  /** True if its tools were read, now or in an earlier run. */
  get knowsTools(): boolean {
    return this.#parts.lists.known.isKnown('tool');
  }

  isKnown(kind?: EntryKind): boolean {
    const { name } = this.#parts.connection.state;
    return this.#parts.lists.known.isKnown(kind) || (name !== 'starting' && name !== 'idle');
  }

  era(): Era | undefined {
    return this.#parts.record.facts?.era;
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.#parts.declared.known;
  }

  withheld(): readonly WithheldEntry[] {
    return this.#parts.lists.known.withheld;
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    const { record, lists, declared } = this.#parts;
    const needsCapability = kind === 'resource' || kind === 'template';
    const capabilities = record.facts?.capabilities ?? declared.known;
    if (needsCapability && capabilities?.resources === undefined) return false;
    return lists.acceptsUnlisted(kind, ownName);
  }

  instructions(): string | undefined {
    return this.#options.entry.instructions ? this.#parts.record.facts?.instructions : undefined;
  }

  status(): UpstreamStatus {
    const { connection, lists, record, calls, faults, stderr } = this.#parts;
    const { entry, asking, mask } = this.#options;
    return statusOf({
      entry,
      asking,
      mask,
      connection,
      listing: this.listing(),
      lists,
      facts: record.facts,
      lastError: record.lastError,
      calls: calls.counts,
      faults: faults.counts(),
      misfits: this.#misfits,
      stderr: stderr.last(),
      startStderr: stderr.lastOfStart(),
    });
  }
}
