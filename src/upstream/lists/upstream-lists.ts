import { nameFilter } from '../../core/access/name-filter.ts';
import { GatewayError } from '../../core/errors.ts';
import type { EntryKind } from '../../core/providers/provider.ts';
import type { UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import { throttle } from '../../core/timing/throttle.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import { TRANSPORTS } from '../transports/manifests/index.ts';
import { badParameterHeaders } from './entries/bad-parameter-headers.ts';
import { addHints } from './entries/hints.ts';
import { KnownLists, type KnownListsHost } from './known-lists.ts';
import { ListAskers, type Source } from './list-askers.ts';
import { ENTRY_KINDS, isAnnounced, isOffered } from './list-methods.ts';
import { isCulprit } from './list-order.ts';
import { remarkOnAbsence, summarize } from './list-summary.ts';
import { type ListOutcome, NO_ENTRIES, readList } from './read-list.ts';

/** However often an upstream says that a list changed, it is read less than four times a second. */
const CHANGE_LIMITS = { burst: 4, intervalMs: 300 };

/** All pages of a list together may take as long as so many pages that are answered just in time. */
const SLOW_PAGES = 20;

/** Work on one list that is not worth a rest, in milliseconds. */
const LIGHT_MS = 50;
/** A rest is so many times as long as the work. */
const REST_FACTOR = 10;
const MAX_REST_MS = 60_000;

export interface UpstreamListsHost extends Omit<KnownListsHost, 'accepts' | 'transform'> {
  readonly traits: Pick<UpstreamTraits, 'changeHint' | 'waitingHint' | 'asksUser'>;
  /** Some client waits for an answer of this upstream. */
  hasOpenCalls(): boolean;
  /** What the upstream is there for is listed. */
  onListed(): void;
  /** It is not; `reason` says which list failed and how. */
  onUnlisted(reason: string): void;
}

/** The problems with the lists of an upstream. */
export interface ListTrouble {
  /** Which lists are not there, or not as new as they should be, and why; absent where all is well. */
  readonly reason?: string;
  /** When one of them is asked for again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** The same list by list, and what was wrong with lists that were read. */
  readonly errors: readonly string[];
}

/** Reads what an upstream offers: when it connects, whenever it reports a change, and again after a failure. */
export class UpstreamLists {
  /** What was read last, and what of it is offered. */
  readonly known: KnownLists;
  readonly #host: UpstreamListsHost;
  #accepts: (name: string) => boolean;
  /** The rules changed while a list of tools may have been on its way. */
  #hasNewRules = false;
  readonly #askers: ListAskers;
  /** Said to have changed, and not asked for yet. */
  readonly #changed = new Set<EntryKind>();
  readonly #changes = throttle(() => this.#askForChanged(), CHANGE_LIMITS);
  /** Changes are not looked at before that, on the clock of `performance.now()`. */
  #restUntil = 0;
  #resting: NodeJS.Timeout | undefined;
  #lastSync: number | undefined;

  constructor(host: UpstreamListsHost) {
    this.#host = host;
    this.#accepts = nameFilter(host.entry.tools);
    this.known = new KnownLists({ ...host, accepts: (name) => this.#accepts(name), transform: this.#transform });
    this.#askers = new ListAskers({
      entry: host.entry,
      traits: host.traits,
      log: host.log,
      hasOpenCalls: () => host.hasOpenCalls(),
      read: (kind, source, signal, onPage) => this.#read(kind, source, signal, onPage),
      onOutcome: (kind, outcome) => this.#onOutcome(kind, outcome),
      onProgress: () => this.#report(),
    });
  }

  get trouble(): ListTrouble {
    const states = this.#askers.states();
    const { problems, isSilent, dueAt } = summarize(states);
    const errors = [...problems, ...remarkOnAbsence(states), ...this.known.remarks];
    if (problems.length === 0) return { errors };
    const hint = isSilent ? this.#host.traits.waitingHint : '';
    return {
      reason: hint === '' ? problems.join('; ') : `${problems.join('; ')}. ${hint}`,
      ...(dueAt !== undefined && { retryAt: Date.now() + Math.max(0, dueAt - performance.now()) }),
      errors,
    };
  }

  /** When a list was read last, in milliseconds since the epoch. */
  get lastSync(): number | undefined {
    return this.#lastSync;
  }

  /** A list that has ended connections before is being asked for, and nothing else is. */
  get isAskingCulprit(): boolean {
    return isCulprit(this.#askers.states());
  }

  /** Whether an entry that is not listed may be called all the same. */
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
    this.#changes.cancel();
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#changed.clear();
    this.#askers.detach(lost);
  }

  /** The upstream says that these lists changed. */
  onListChanged(kinds: readonly EntryKind[] = ENTRY_KINDS): void {
    for (const kind of kinds) this.#changed.add(kind);
    this.#changes.request();
  }

  /** A tool is called. One that is not listed may be on a list that could not be read, and is there by now. */
  onCall(toolName: string): void {
    if (this.#askers.isTroubled('tool') && this.known.toolText(toolName) === undefined)
      this.#askers.want('tool', 'call');
  }

  /**
   * Reads lists now. One that is silent for `timeouts.listMs` counts as failed.
   * @param kinds which; all that the upstream has where absent
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
    const worst = failed.get('tool') ?? (this.#isThere() ? undefined : [...failed.values()][0]);
    if (worst !== undefined) throw this.#withHint(worst);
  }

  #isThere(): boolean {
    return this.#askers.isAttached && summarize(this.#askers.states()).isThere;
  }

  #withHint(error: GatewayError): GatewayError {
    const { waitingHint } = this.#host.traits;
    if (error.code !== 'UPSTREAM_TIMEOUT' || waitingHint === '') return error;
    return new GatewayError(error.code, `${error.message}. ${waitingHint}`, error.detail);
  }

  #report(): void {
    const { isSettled, isThere } = summarize(this.#askers.states());
    if (!isSettled) return;
    if (isThere) this.#host.onListed();
    else this.#host.onUnlisted(this.trouble.reason ?? '');
  }

  #read(
    kind: EntryKind,
    { link, facts }: Source,
    signal: AbortSignal,
    onPage: () => void,
  ): Promise<ListOutcome | undefined> {
    // Over HTTP, modern servers want arguments in headers: a tool whose schema is wrong about that cannot be called.
    const mirrorsParameters =
      TRANSPORTS.forSpelling(this.#host.entry.type)?.repeatsArguments === true && facts.era === 'modern';
    return readList(link, kind, {
      upstream: this.#host.entry.key,
      accepts: (ownName) => kind !== 'tool' || this.#accepts(ownName),
      transform: this.#transform,
      unusable: mirrorsParameters ? badParameterHeaders : undefined,
      // Where changes are announced, nobody has to look.
      heedsTtl: !isAnnounced(kind, facts.capabilities),
      totalMs: this.#host.entry.timeouts.listMs * SLOW_PAGES,
      signal,
      onPage,
      onEntry: (read) => this.known.prepare(read),
      onTurn: (workMs) => this.#restAfter(workMs),
    });
  }

  /** A list that takes long to read is read less often, however often it is said to have changed. */
  #restAfter(workMs: number): void {
    if (workMs < LIGHT_MS) return;
    this.#restUntil = performance.now() + Math.min(workMs * REST_FACTOR, MAX_REST_MS);
  }

  #onOutcome(kind: EntryKind, outcome: ListOutcome): void {
    if (outcome.kind === 'failed') {
      if (outcome.partial !== undefined) this.known.takePart(kind, outcome.partial);
      return;
    }
    this.#lastSync = Date.now();
    this.known.take(kind, outcome.kind === 'read' ? outcome.list : NO_ENTRIES);
    if (kind !== 'tool' || !this.#hasNewRules) return;
    this.#hasNewRules = false;
    // Its first entries may have been read by the rules of before.
    this.known.onRulesChanged();
  }

  #askForChanged(): void {
    const waitMs = this.#restUntil - performance.now();
    if (waitMs > 0) {
      this.#resting ??= setTimeout(() => {
        this.#resting = undefined;
        this.#changes.request();
      }, waitMs).unref();
      return;
    }
    const kinds = [...this.#changed];
    this.#changed.clear();
    for (const kind of kinds) this.#askers.want(kind, 'change');
  }

  get #transform() {
    return this.#host.entry.inferHints ? addHints : undefined;
  }
}
