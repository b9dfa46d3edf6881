import { nameFilter } from '../../core/access/name-filter.ts';
import { GatewayError } from '../../core/errors.ts';
import type { EntryKind } from '../../core/providers/provider.ts';
import type { UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import { hintTransform } from './entries/hints.ts';
import { KnownLists, type KnownListsHost } from './known-lists.ts';
import { ListAskers } from './list-askers.ts';
import { ListChanges } from './list-changes.ts';
import { ENTRY_KINDS, isOffered } from './list-methods.ts';
import { isCulprit } from './list-order.ts';
import { ListReader } from './list-reader.ts';
import { summarize } from './list-summary.ts';
import { type ListTrouble, troubleWith, withWaitingHint } from './list-trouble.ts';
import { type ListOutcome, NO_ENTRIES } from './read-list.ts';

export interface UpstreamListsHost extends Omit<KnownListsHost, 'accepts' | 'transform' | 'onRestored'> {
  readonly traits: Pick<UpstreamTraits, 'changeHint' | 'waitingHint' | 'asksUser'>;
  /** Returns whether some client waits for an answer of this upstream. */
  hasOpenCalls(): boolean;
  /** The main list of the upstream was read. */
  onListed(): void;
  /** Called when a list failed or is not answered; `reason` says which list and how. */
  onUnlisted(reason: string): void;
}

/** Reads what an upstream offers: when it connects, whenever it reports a change, and again after a failure. */
export class UpstreamLists {
  /** The lists that were read last, and the part of them that is offered. */
  readonly known: KnownLists;
  readonly #host: UpstreamListsHost;
  #accepts: (name: string) => boolean;
  /** The rules changed while a list of tools may have been on its way. */
  #hasNewRules = false;
  readonly #askers: ListAskers;
  readonly #changes = new ListChanges((kind) => this.#askers.want(kind, 'change'));
  #lastSync: number | undefined;

  constructor(host: UpstreamListsHost) {
    this.#host = host;
    this.#accepts = nameFilter(host.entry.tools);
    const accepts = (name: string) => this.#accepts(name);
    const reader = new ListReader({
      entry: host.entry,
      accepts,
      onEntry: (entry) => this.known.prepare(entry),
      onWork: (ms) => this.#changes.spend(ms),
    });
    this.known = new KnownLists({
      ...host,
      accepts,
      transform: hintTransform(host.entry),
      onRestored: (restored) => reader.restore(restored),
    });
    this.#askers = new ListAskers({
      entry: host.entry,
      traits: host.traits,
      log: host.log,
      hasOpenCalls: () => host.hasOpenCalls(),
      read: (kind, source, signal, onPage) => reader.read(kind, source, signal, onPage),
      onOutcome: (kind, outcome) => this.#onOutcome(kind, outcome),
      onProgress: () => this.#report(),
    });
  }

  get trouble(): ListTrouble {
    return troubleWith(this.#askers.states(), this.known.findings.remarks, this.#host.traits.waitingHint);
  }

  /** The time at which a list was read last, in milliseconds since the epoch. */
  get lastSync(): number | undefined {
    return this.#lastSync;
  }

  /** A list that has ended connections before is being asked for, and nothing else is. */
  get isAskingCulprit(): boolean {
    return isCulprit(this.#askers.states());
  }

  /** Returns whether an entry that is not listed may be called all the same. */
  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return kind !== 'tool' || (this.#accepts(ownName) && this.known.acceptsUnlisted(ownName));
  }

  /** The rules of its entry are others now: they hold at once for what is known, and the lists are read again. */
  onRulesChanged(): void {
    this.#accepts = nameFilter(this.#host.entry.tools);
    this.#hasNewRules = true;
    this.known.onRulesChanged();
    this.onListChanged();
  }

  /** A connection is there: its lists are read at once. */
  attach(link: Link, facts: ServerFacts): void {
    for (const kind of ENTRY_KINDS) if (!isOffered(kind, facts.capabilities)) this.known.take(kind, NO_ENTRIES);
    this.#askers.attach({ link, facts });
  }

  /** The connection is gone; `lost` says why, where it ended by itself. */
  detach(lost?: string): void {
    this.#changes.clear();
    this.known.flush();
    this.#askers.detach(lost);
  }

  /** The upstream says that these lists changed. */
  onListChanged(kinds: readonly EntryKind[] = ENTRY_KINDS): void {
    this.#changes.note(kinds);
  }

  /** A tool is called. One that is not listed may be on a list that could not be read, and is there by now. */
  onCall(toolName: string): void {
    if (this.#askers.isTroubled('tool') && this.known.toolText(toolName) === undefined)
      this.#askers.want('tool', 'call');
  }

  /**
   * Reads lists now. One that is silent for `timeouts.listMs` counts as failed.
   * @param kinds which; all that the upstream has if absent
   * @throws GatewayError when there is no connection, it ends meanwhile, or what the upstream is there for is not listed
   */
  async sync(kinds: readonly EntryKind[] = ENTRY_KINDS): Promise<void> {
    const { key } = this.#host.entry;
    if (!this.#askers.isAttached)
      throw new GatewayError('UPSTREAM_NOT_CONNECTED', `${key}: not connected`, { upstream: key });
    const offered = [...this.#askers.states().keys()].filter((kind) => kinds.includes(kind));
    const outcomes = await Promise.allSettled(offered.map((kind) => this.#askers.read(kind)));
    const failed = new Map<EntryKind, GatewayError>();
    for (const [index, outcome] of outcomes.entries())
      if (outcome.status === 'rejected') failed.set(offered[index]!, outcome.reason as GatewayError);
    const isThere = this.#askers.isAttached && summarize(this.#askers.states()).isThere;
    const worst = failed.get('tool') ?? (isThere ? undefined : [...failed.values()][0]);
    if (worst !== undefined) throw withWaitingHint(worst, this.#host.traits.waitingHint);
  }

  #report(): void {
    const { isSettled, isThere } = summarize(this.#askers.states());
    if (!isSettled) return;
    if (isThere) this.#host.onListed();
    else this.#host.onUnlisted(this.trouble.reason ?? '');
  }

  #onOutcome(kind: EntryKind, outcome: ListOutcome): void {
    if (outcome.kind === 'failed') {
      if (outcome.partial !== undefined) this.known.takePart(kind, outcome.partial);
      return;
    }
    this.#lastSync = Date.now();
    const from = performance.now();
    this.known.take(kind, outcome.kind === 'read' ? outcome.list : NO_ENTRIES);
    this.#changes.spend(performance.now() - from);
    if (kind !== 'tool' || !this.#hasNewRules) return;
    this.#hasNewRules = false;
    // Its first entries may have been read by the rules of before.
    this.known.onRulesChanged();
  }
}
