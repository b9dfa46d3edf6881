import type { EntryKind } from '../../core/providers/provider.ts';
import type { UpstreamEntry, UpstreamTraits } from '../../core/settings/upstream-entry.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import { ListAsker } from './list-asker.ts';
import { ENTRY_KINDS, isOffered, LISTS } from './list-methods.ts';
import { isAlone, type ListStates, nextInTurn } from './list-order.ts';
import type { ListState, WantedBy } from './list-state.ts';
import type { ListOutcome } from './read-list.ts';

export interface ListAskersHost {
  readonly entry: Pick<UpstreamEntry, 'key' | 'timeouts'>;
  readonly traits: Pick<UpstreamTraits, 'asksUser'>;
  readonly log: Log;
  /** Returns true if a client is waiting for a response of this upstream. */
  hasOpenCalls(): boolean;
  /** Reads a list over a connection; see `readList`. */
  read(kind: EntryKind, source: Source, signal: AbortSignal, onPage: () => void): Promise<ListOutcome | undefined>;
  onOutcome(kind: EntryKind, outcome: ListOutcome): void;
  /** The state of the lists has changed. */
  onProgress(): void;
}

/** A live connection, and what its server said of itself. */
export interface Source {
  readonly link: Link;
  readonly facts: ServerFacts;
}

/** Asks an upstream for its lists, each by itself, in an order in which none costs another. */
export class ListAskers {
  readonly #host: ListAskersHost;
  readonly #askers: ReadonlyMap<EntryKind, ListAsker>;
  #source: Source | undefined;

  constructor(host: ListAskersHost) {
    this.#host = host;
    this.#askers = new Map(ENTRY_KINDS.map((kind) => [kind, this.#create(kind)]));
  }

  /** Tells whether there is a connection. */
  get isAttached(): boolean {
    return this.#source !== undefined;
  }

  /** Returns the states of the lists that the present server has; none without a connection. */
  states(): ListStates {
    if (this.#source === undefined) return new Map();
    const { capabilities } = this.#source.facts;
    const offered = ENTRY_KINDS.filter((kind) => isOffered(kind, capabilities));
    return new Map(offered.map((kind) => [kind, this.#askers.get(kind)!.state]));
  }

  /** Returns whether the last attempt to read a list brought nothing. */
  isTroubled(kind: EntryKind): boolean {
    const { phase } = this.#askers.get(kind)!.state;
    return phase === 'failed' || phase === 'silent';
  }

  /** A connection is there: its lists are asked for at once. */
  attach(source: Source): void {
    this.#source = source;
    for (const kind of this.states().keys()) this.#askers.get(kind)!.attach();
    this.#takeTurns();
    this.#host.onProgress();
  }

  /** The connection is gone; `lost` says why, where it ended by itself. */
  detach(lost: string | undefined): void {
    const states = this.states();
    this.#source = undefined;
    for (const [kind, asker] of this.#askers) {
      asker.detach(lost === undefined ? undefined : { reason: lost, isAlone: isAlone(states, kind) });
    }
  }

  /** Called when a list is wanted; no effect if the server has no such list. */
  want(kind: EntryKind, by: WantedBy): void {
    if (this.states().has(kind)) this.#askers.get(kind)!.want(by);
  }

  /**
   * Asks for a list now.
   * @throws GatewayError that says how it failed
   */
  read(kind: EntryKind): Promise<void> {
    return this.#askers.get(kind)!.read();
  }

  #create(kind: EntryKind): ListAsker {
    const { entry, traits } = this.#host;
    return new ListAsker(kind, {
      upstream: entry.key,
      // Asked for each time: the config may change.
      get rules() {
        return { maxPauseMs: entry.timeouts.listPauseMs, asksUser: traits.asksUser === true };
      },
      get silenceMs() {
        return entry.timeouts.listMs;
      },
      read: async (signal, onPage) =>
        this.#source === undefined ? undefined : this.#host.read(kind, this.#source, signal, onPage),
      isHeardSince: (time) => (this.#source?.link.heardAt ?? 0) > time,
      isQuiet: () => isAlone(this.states(), kind) && !this.#host.hasOpenCalls(),
      onOutcome: (outcome) => this.#host.onOutcome(kind, outcome),
      onStep: (state, before) => this.#onStep(kind, state, before),
    });
  }

  #takeTurns(): void {
    for (const kind of nextInTurn(this.states())) this.#askers.get(kind)!.takeTurn();
  }

  #onStep(kind: EntryKind, state: ListState, before: ListState): void {
    if (this.#source === undefined) return;
    logStep(this.#host.log, LISTS[kind].method, state, before);
    this.#takeTurns();
    this.#host.onProgress();
  }
}

function logStep(log: Log, list: string, { phase, problem, dueAt }: ListState, before: ListState): void {
  if (problem === undefined) {
    if (before.problem !== undefined) log.info({ event: 'list-read', list }, `${list} is answered now`);
    return;
  }
  if (phase !== 'failed' && phase !== 'silent') return;
  const retryMs = dueAt === undefined ? undefined : Math.round(dueAt - performance.now());
  const level = problem === before.problem ? 'debug' : 'warn';
  log[level]({ event: 'list-failed', list, problem, retryMs }, `a list cannot be read: ${problem}`);
}
