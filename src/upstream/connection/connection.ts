import { ImpossibleError } from '../../core/impossible-error.ts';
import type { Era } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { type EraCache, stillKnown } from '../../core/stores/era-cache.ts';
import { ALL_ASK_CAPABILITIES } from '../../era/capabilities.ts';
import type { PassedCapabilities } from '../../era/extensions.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { LinkEnd } from '../faults/link-errors.ts';
import type { StartTurn, StartTurns } from '../starts/start-turns.ts';
import { transportFor } from '../transports/index.ts';
import {
  type ClosedBecause,
  NeedsAuthError,
  type RequestFailure,
  type Transport,
  type TransportContext,
  type TransportDefinition,
  type TransportEvents,
} from '../transports/transport.ts';
import { HandshakeError, handshake, type Implementation, type Opening, type ServerFacts } from './handshake.ts';
import { Link, type LinkEvents } from './link.ts';
import {
  type Action,
  type ConnectionEvent,
  type ConnectionState,
  initialMachine,
  type Machine,
  type RestartRule,
  transition,
} from './machine.ts';
import type { PeerFaults } from './peer-faults.ts';

/** What a connection tells its owner. */
export interface ConnectionOwner extends Omit<LinkEvents, 'onHung'> {
  /** The handshake is done: calls may be sent, lists can be read. */
  onConnected(link: Link, facts: ServerFacts): void;
  /** `isLost`: nobody wanted it to end. */
  onDisconnected(reason: string, isLost: boolean): void;
  onState(state: ConnectionState, before: ConnectionState): void;
  onStderr(line: string): void;
  /** The JSON of a tool, as the upstream wrote it. */
  toolText(ownName: string): ByteString | undefined;
  /** Some client waits for an answer. */
  readonly hasOpenCalls: boolean;
  /** Nothing is asked for but a list that has ended connections before. */
  readonly isAskingCulprit: boolean;
  /** Its tools were read, now or in an earlier run. */
  readonly knowsTools: boolean;
  /** Notices of the upstream may have been missed. */
  onMissed(): void;
}

export interface ConnectionOptions {
  readonly entry: UpstreamEntry;
  readonly transport: TransportContext;
  /** Gives the transport of an entry; the one of its type where this is absent. */
  readonly transportFor?: (entry: UpstreamEntry) => Promise<TransportDefinition>;
  readonly clientInfo: Implementation;
  /** What a legacy server is told that its clients can do, when it is connected. */
  readonly capabilities?: () => Readonly<Record<string, unknown>>;
  /** What a server is told of its clients besides what it can ask them. */
  readonly passed: () => PassedCapabilities;
  readonly eras: EraCache;
  /** When a process may be started; at once where this is absent. */
  readonly starts?: StartTurns | undefined;
  readonly log: Log;
  readonly faults: PeerFaults;
  /** Hides secrets in what goes to status, clients and people. */
  readonly mask: (text: string) => string;
}

/** What ends a connection that there is. */
const ENDS: ReadonlySet<ConnectionEvent['name']> = new Set([
  'lost',
  'expired',
  'renewed',
  'impossible',
  'unauthorized',
  'stop',
]);

/** Ends that may be no more than one request's bad luck. */
const MAY_FINISH: ReadonlySet<ConnectionEvent['name']> = new Set(['lost', 'expired', 'unauthorized']);

/** One opened transport, from spawn to end. A connection has at most one; events of an older one mean nothing any more. */
interface Attempt {
  opening: Promise<Transport> | undefined;
  transport: Transport | undefined;
  link: Link | undefined;
  readonly way: Opening;
  /** Of a process, until its handshake is done. */
  turn: StartTurn | undefined;
  /** The handshake is done. */
  connected: boolean;
}

/** Keeps one upstream connected: executes what the state machine decides. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #owner: ConnectionOwner;
  #machine: Machine = initialMachine(Date.now());
  #attempt: Attempt | undefined;
  /** Those that were replaced, and still have something to answer. */
  readonly #retired = new Set<Link>();
  #closing: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | undefined;
  #starts = 0;
  /** Somebody waits for a connection. */
  #isUrgent = false;
  /** A process ended when it was asked of which era it is. */
  #diedOfAsking = false;

  constructor(options: ConnectionOptions, owner: ConnectionOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  get state(): ConnectionState {
    return this.#machine.state;
  }

  /** The live link, from the handshake to the end. */
  get link(): Link | undefined {
    return this.#attempt?.connected === true ? this.#attempt.link : undefined;
  }

  get pid(): number | undefined {
    return this.#attempt?.transport?.pid;
  }

  /** How often the upstream was started. */
  get starts(): number {
    return this.#starts;
  }

  /** Asks for a connection; forced by people, not forced by calls. If nobody waits for it, it comes after those that somebody waits for. */
  want(force: boolean, isUrgent = true): void {
    this.#isUrgent ||= isUrgent;
    this.#dispatch({ name: 'wanted', force });
    if (isUrgent) this.#attempt?.turn?.hurry();
  }

  /** Replaces the connection by a new one, at once. */
  renew(reason: string): void {
    this.#dispatch({ name: 'renewed', reason });
  }

  onListed(): void {
    this.#dispatch({ name: 'listed' });
  }

  onUnlisted(reason: string): void {
    this.#dispatch({ name: 'unlisted', reason });
  }

  /** Ends the connection; resolves when the process is gone. */
  stop(reason: string, byHand: boolean): Promise<void> {
    this.#dispatch({ name: 'stop', reason, byHand });
    for (const link of this.#retired) link.end({ reason });
    return this.#closing;
  }

  /** Somebody has logged in, maybe to this upstream. */
  onCredentialsChanged(): void {
    this.#attempt?.transport?.onCredentialsChanged?.();
  }

  #dispatch(unmasked: ConnectionEvent): void {
    const event = 'reason' in unmasked ? { ...unmasked, reason: this.#options.mask(unmasked.reason) } : unmasked;
    const before = this.#machine.state;
    const { restart } = this.#options.entry;
    const { machine, actions } = transition(this.#machine, event, {
      now: Date.now(),
      restart,
      jitter: Math.random(),
      isDialled: this.#options.entry.command === undefined,
    });
    this.#machine = machine;
    // Owners are told of the end first: pending calls must fail before anything new begins.
    if (ENDS.has(event.name) && 'reason' in event) this.#drop(event.reason, event.name);
    for (const action of actions) this.#perform(action);
    if (machine.state === before) return;
    this.#logState(machine.state);
    this.#owner.onState(machine.state, before);
  }

  #perform(action: Action): void {
    switch (action) {
      case 'open':
        void this.#open();
        break;
      case 'close':
        void this.#closing.then(() => this.#dispatch({ name: 'closed' }));
        break;
      case 'arm-retry':
        this.#armRetry();
        break;
      case 'disarm-retry':
        clearTimeout(this.#retryTimer);
    }
  }

  #armRetry(): void {
    const { state } = this.#machine;
    if (state.name !== 'backoff') return;
    this.#retryTimer = setTimeout(() => this.#dispatch({ name: 'retry-due' }), Math.max(0, state.retryAt - Date.now()));
  }

  /** Lets go of the present attempt, if any, and of what waits on it, unless that may still be answered. */
  #drop(reason: string, why: ConnectionEvent['name']): void {
    const attempt = this.#attempt;
    if (attempt === undefined) return;
    this.#attempt = undefined;
    attempt.turn?.end();
    const { link, transport } = attempt;
    const end: LinkEnd = { reason, ...endOf(this.#machine.state, this.#options.entry.restart) };
    const mayFinish = attempt.connected && MAY_FINISH.has(why);
    if (mayFinish && link !== undefined && transport?.finish?.() === true) this.#retire(link, transport, end);
    else {
      const closed = attempt.opening?.then((opened) => opened.close());
      this.#closing = Promise.allSettled([this.#closing, closed]).then(() => undefined);
      link?.end(end);
    }
    if (attempt.connected) this.#owner.onDisconnected(reason, why === 'lost');
    else if (attempt.way.startsWith('assume-')) this.#options.eras.forget(this.#options.entry);
  }

  /** What has cut off one request need not cut off others: they run out while the next connection is made. */
  #retire(link: Link, transport: Transport, end: LinkEnd): void {
    this.#retired.add(link);
    link.retire(end, () => {
      this.#retired.delete(link);
      this.#closing = Promise.allSettled([this.#closing, transport.close()]).then(() => undefined);
    });
  }

  async #open(): Promise<void> {
    const way = this.#wayToOpen();
    const attempt: Attempt = {
      opening: undefined,
      transport: undefined,
      link: undefined,
      way,
      turn: undefined,
      connected: false,
    };
    this.#attempt = attempt;
    // The old process of a replaced connection may still hold what the new one needs.
    await this.#closing;
    if (this.#attempt !== attempt) return;
    attempt.turn = this.#takeTurn();
    await attempt.turn?.granted;
    if (this.#attempt !== attempt) return;
    this.#starts++;
    try {
      await this.#connect(attempt);
    } catch (error) {
      if (this.#attempt === attempt) this.#dispatch(eventOf(error));
    }
  }

  /** Connections to servers that are there already cost too little to wait for each other. */
  #takeTurn(): StartTurn | undefined {
    const { entry, starts } = this.#options;
    if (entry.command === undefined) return undefined;
    return starts?.begin(this.#isUrgent ? 'wanted' : this.#owner.knowsTools ? 'known' : 'unknown');
  }

  async #connect(attempt: Attempt): Promise<void> {
    const { entry, clientInfo, passed, faults, transport: context } = this.#options;
    const definition = (this.#options.transportFor ?? transportFor)(entry);
    attempt.opening = definition.then((transport) => transport.open(entry, this.#eventsOf(attempt), context));
    attempt.transport = await attempt.opening;
    if (this.#attempt !== attempt) return;
    attempt.link = new Link(entry.key, attempt.transport, this.#linkEventsOf(attempt), faults);
    const { connectMs } = entry.timeouts;
    const capabilities = this.#options.capabilities?.() ?? ALL_ASK_CAPABILITIES;
    const facts = await handshake(attempt.link, {
      clientInfo,
      capabilities,
      passed,
      opening: attempt.way,
      timeoutMs: connectMs,
    });
    if (this.#attempt !== attempt) return;
    attempt.connected = true;
    attempt.turn?.end();
    this.#isUrgent = false;
    this.#rememberEra(facts.era);
    // What only people start again is left alone, and a server at a url has no process of ours that could be replaced.
    if (entry.restart !== 'never' && attempt.link.pid !== undefined) attempt.link.watchWhileIdle();
    this.#owner.onConnected(attempt.link, facts);
  }

  #wayToOpen(): Opening {
    const { entry, eras } = this.#options;
    if (entry.era !== 'auto') return entry.era === 'legacy' ? 'legacy' : 'modern';
    if (this.#diedOfAsking) return 'assume-legacy';
    const known = stillKnown(eras.load(entry), Date.now());
    return known === undefined ? 'ask' : `assume-${known}`;
  }

  #rememberEra(era: Era): void {
    const { entry, eras } = this.#options;
    if (era === 'modern') this.#diedOfAsking = false;
    // A date that is kept is that of the last time somebody asked: an assumption that holds makes it no younger.
    if (entry.era === 'auto' && stillKnown(eras.load(entry), Date.now()) !== era) eras.save(entry, era);
  }

  #onClosed(attempt: Attempt, reason: string, why: ClosedBecause | undefined): void {
    if (this.#attempt !== attempt) {
      // What was still to be answered will not be.
      if (attempt.link !== undefined && this.#retired.has(attempt.link)) attempt.link.end({ reason });
      return;
    }
    if (why === 'unauthorized' || (why === 'expired' && attempt.connected)) {
      this.#dispatch({ name: why, reason });
      return;
    }
    const wasAsked = attempt.way === 'ask' || attempt.way === 'assume-modern';
    // Who was never reached cannot have minded the question.
    if (attempt.connected || !wasAsked || attempt.transport?.wasReached !== true) {
      this.#dispatch({ name: 'lost', reason, isOfList: attempt.connected && this.#owner.isAskingCulprit });
    } else if (this.#options.entry.restart === 'never') {
      const hint = 'it ended when it was asked for its protocol version; if it is an old server, set "era: legacy"';
      this.#dispatch({ name: 'lost', reason: `${reason}; ${hint}` });
    } else {
      this.#openWithoutAsking(reason);
    }
  }

  /** An old server may be of the kind that ends at a request which it does not know. That is no crash, and happens once. */
  #openWithoutAsking(reason: string): void {
    this.#options.log.info({ event: 'died-of-asking', reason }, 'it ended when it was asked for its era; started anew');
    this.#diedOfAsking = true;
    this.#drop(reason, 'lost');
    void this.#open();
  }

  /** What an older connection says no longer counts: the calls that it could belong to are not the present ones. */
  #linkEventsOf(attempt: Attempt): LinkEvents {
    const owner = this.#owner;
    const isPresent = () => this.#attempt === attempt;
    return {
      onAsk: (message, of) => {
        if (isPresent()) owner.onAsk(message, of);
      },
      onAskCancelled: (id) => {
        if (isPresent()) owner.onAskCancelled(id);
      },
      onNotification: (message, of) => {
        if (isPresent()) owner.onNotification(message, of);
      },
      onLateAnswer: (id) => {
        if (isPresent()) owner.onLateAnswer?.(id);
      },
      onLateProgress: (id, message) => isPresent() && owner.onLateProgress(id, message),
      onHung: (reason) => {
        if (isPresent()) this.#onHung(reason);
      },
    };
  }

  #onRequestFailed(attempt: Attempt, id: number, failure: RequestFailure): void {
    attempt.link?.onRequestFailed(id, failure);
    // A call that needs more scopes than we have says nothing about others: only 401 is about all of them.
    const isAboutAll = failure.status === 401 || !attempt.connected;
    if (failure.code === 'UPSTREAM_NEEDS_AUTH' && isAboutAll && this.#attempt === attempt)
      this.#dispatch({ name: 'unauthorized', reason: failure.reason });
  }

  #onHung(reason: string): void {
    if (this.#options.entry.restart === 'never') {
      // Only people start it: a new process may ask its user for leave, and this one may be waiting for just that.
      this.#options.log.warn(
        { event: 'hung', reason },
        'it hangs and is left alone, because it is started by hand only',
      );
    } else this.#dispatch({ name: 'lost', reason });
  }

  #eventsOf(attempt: Attempt): TransportEvents {
    return {
      onFrame: (frame, of) => attempt.link?.onFrame(frame, of),
      onLostLine: (line) => attempt.link?.onLostLine(line),
      isWanted: (head) => attempt.link?.isWanted(head) ?? true,
      onRequestFailed: (id, failure) => this.#onRequestFailed(attempt, id, failure),
      toolText: (ownName) => this.#owner.toolText(ownName),
      onStderr: (line) => this.#owner.onStderr(line),
      isAwaited: () => this.#owner.hasOpenCalls,
      onMissed: () => {
        if (this.#attempt === attempt && attempt.connected) this.#owner.onMissed();
      },
      onClosed: (reason, why) => this.#onClosed(attempt, reason, why),
    };
  }

  #logState(state: ConnectionState): void {
    const { log } = this.#options;
    const fields = { event: 'state', state: state.name, ...('reason' in state && { reason: state.reason }) };
    const isTrouble = state.name === 'backoff' || state.name === 'crash-loop' || state.name === 'failed';
    const needsUser = state.name === 'needs-auth';
    log[isTrouble || needsUser ? 'warn' : 'info'](
      { ...fields, pid: this.pid, starts: this.#starts },
      `${this.#options.entry.key} is ${state.name}`,
    );
  }
}

/** How a connection ends: when there will be one again, by itself or because the next call makes one, or what is wanted first. */
function endOf(state: ConnectionState, restart: RestartRule): Omit<LinkEnd, 'reason'> {
  if (state.name === 'needs-auth') return { code: 'UPSTREAM_NEEDS_AUTH' };
  if (state.name === 'backoff') return { retryAfterMs: Math.max(0, state.retryAt - Date.now()) };
  return state.name === 'stopped' && restart === 'on-demand' && !state.byHand ? { retryAfterMs: 0 } : {};
}

function eventOf(error: unknown): ConnectionEvent {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof NeedsAuthError) return { name: 'unauthorized', reason };
  const impossible = error instanceof ImpossibleError || error instanceof HandshakeError;
  return impossible ? { name: 'impossible', reason } : { name: 'lost', reason };
}
