import {
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  type Provider,
  type ProviderCall,
  type RunningCall,
  type WithheldEntry,
} from '../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../core/providers/provider-status.ts';
import { lastWordsOf } from '../core/refusals/last-words.ts';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';
import { cleanText } from '../core/text/clean-text.ts';
import type { ByteString } from '../wire/bytes.ts';
import type { NotificationMessage, RequestMessage } from '../wire/message.ts';
import { UpstreamCalls } from './calls/upstream-calls.ts';
import { Connection } from './connection/connection.ts';
import type { ConnectionOwner } from './connection/connection-options.ts';
import type { ServerFacts } from './connection/handshake.ts';
import type { Link } from './connection/link.ts';
import { type ConnectionState, isLive, isOffering } from './connection/machine.ts';
import { PeerFaults } from './connection/peer-faults.ts';
import { quietRequest } from './connection/quiet-request.ts';
import { StderrTail } from './connection/stderr-tail.ts';
import { syncByHand } from './connection/sync-by-hand.ts';
import { Asks } from './events/asks/asks.ts';
import { ElicitationIds } from './events/asks/elicitation-ids.ts';
import { NotificationRouter } from './events/asks/notification-router.ts';
import { LevelTeller } from './events/logging/level-teller.ts';
import { ResourceWatch } from './events/subscriptions/resource-watch.ts';
import { DeclaredCapabilities } from './extensions/declared-capabilities.ts';
import { UpstreamLists } from './lists/upstream-lists.ts';
import { UriPointers } from './pointers/uri-pointers.ts';
import { Misfits } from './status/misfits.ts';
import { StateWaiters } from './status/state-waiters.ts';
import { statusOf } from './status/upstream-status.ts';
import { UpstreamTasks } from './tasks/upstream-tasks.ts';
import type { UpstreamOptions } from './upstream-options.ts';

const TROUBLES: ReadonlySet<string> = new Set(['backoff', 'crash-loop', 'failed', 'needs-auth']);

/** One configured server as a provider: connected when needed, its lists offered, its calls relayed. */
export class Upstream implements Provider, ConnectionOwner, UpstreamControl {
  readonly kind = 'upstream';
  readonly id: string;
  readonly workflow: string | undefined;
  readonly tasks: UpstreamTasks;
  readonly #options: UpstreamOptions;
  readonly #connection: Connection;
  readonly #lists: UpstreamLists;
  readonly #calls: UpstreamCalls;
  readonly #asks: Asks;
  readonly #elicitations: ElicitationIds;
  readonly #resources: ResourceWatch;
  readonly #notifications: NotificationRouter;
  readonly #logLevel: LevelTeller;
  readonly #stderr: StderrTail;
  readonly #faults: PeerFaults;
  readonly #pointers: UriPointers;
  readonly #declared: DeclaredCapabilities;
  readonly #misfits: Misfits;
  #facts: ServerFacts | undefined;
  #lastError: string | undefined;
  readonly #states = new StateWaiters(() => this.#connection.state);
  #retired = false;

  constructor(options: UpstreamOptions) {
    const { entry, log, directory, mask } = options;
    this.id = entry.key;
    this.workflow = options.traits.workflow;
    this.#options = options;
    this.#pointers = new UriPointers(options.uris, entry.key);
    this.#declared = new DeclaredCapabilities(entry, options.declared);
    this.#faults = new PeerFaults(log, mask);
    this.#stderr = new StderrTail(log, mask);
    this.#misfits = options.misfits ?? new Misfits(log);
    this.#connection = new Connection({ ...options, faults: this.#faults }, this);
    this.#elicitations = new ElicitationIds({
      upstream: entry.key,
      told: options.told,
      isTold: (sessionId) => directory.get(sessionId) !== undefined,
    });
    this.#calls = new UpstreamCalls({
      entry,
      elicitations: this.#elicitations,
      isSerial: () => options.asking.isUnnamed,
      isRenewable: () => options.asking.isUnnamed && options.isRenewable?.() === true,
      renew: () => this.#connection.renew('a call of another client was given up'),
      oneAtATimeBy: options.traits.oneAtATimeBy,
      againHint: options.traits.againHint ?? `To start it again: viaduct sync ${entry.key}`,
      state: () => this.#connection.state,
      link: () => this.#connection.link,
      want: () => this.#connection.want(false),
      readTools: () => this.#lists.sync(['tool']),
      publicReply: (call, reply) => this.#pointers.inReply(call, reply),
      ownAnswer: (call, link) =>
        this.tasks.ownAnswer(call) ??
        this.#declared.ownAnswer(call) ??
        (link.era === 'modern' ? this.#resources.ownAnswer(call) : undefined),
      onSettled: (call) => this.#asks.onCallSettled(call),
      lastWords: (client) => this.#stderr.wordsFor(client),
    });
    const { tracker } = this.#calls;
    this.#asks = new Asks({
      provider: this,
      directory,
      tracker,
      elicitations: this.#elicitations,
      get maxWaiting() {
        return Math.max(1, Math.floor(entry.maxConcurrency / 2));
      },
      onAsked: (isNamed) => options.asking.note(isNamed),
      advice: () => `"share: session" for "${entry.key}" in the gateway's config gives each client its own process`,
    });
    this.#lists = new UpstreamLists({
      ...options,
      onListed: () => this.#connection.onListed(),
      onChanged: () => options.onOffer(),
      onUnlisted: (reason) => this.#connection.onUnlisted(reason),
      hasOpenCalls: () => this.#calls.hasOpen,
    });
    this.#resources = new ResourceWatch({
      upstream: entry.key,
      log,
      get patienceMs() {
        return entry.timeouts.callMs;
      },
      request: (method, params) => this.#requestQuietly(method, params),
      taskIds: () => this.tasks.watchedIds(),
      onMissed: () => this.#lists.onListChanged(),
    });
    this.tasks = new UpstreamTasks({
      upstream: entry.key,
      directory,
      log,
      get listMs() {
        return entry.timeouts.listMs;
      },
      tracker,
      onWatchedChanged: () => this.#resources.onTasksChanged(),
      onLeftOut: () => this.#faults.leftOut(),
    });
    this.#logLevel = new LevelTeller({
      isAble: () =>
        this.#connection.link !== undefined &&
        this.#facts?.era === 'legacy' &&
        this.#facts.capabilities.logging !== undefined,
      request: (level) => this.#requestQuietly('logging/setLevel', { level }),
    });
    this.#notifications = new NotificationRouter({
      provider: options.provider ?? this,
      directory,
      subscriptions: this.#resources.subscriptions,
      tracker,
      elicitations: this.#elicitations,
      publicUri: (uri) => this.#pointers.publicUri(uri),
      onListChanged: (kinds) => this.#lists.onListChanged(kinds),
      onLeftOut: () => this.#faults.leftOut(),
    });
  }

  get prefix(): string {
    return this.#options.entry.prefix;
  }

  get validation(): UpstreamEntry['validation'] {
    return this.#options.entry.validation;
  }

  /** Begins to connect, unless this upstream is started by calls and its lists are known. */
  start(): void {
    if (this.#retired) return;
    if (this.#options.entry.restart !== 'on-demand' || !this.#lists.known.isKnown('tool'))
      this.#connection.want(true, false);
  }

  /** Ends the process for good: nothing starts it again. Resolves when it is gone. */
  stop(reason: string): Promise<void> {
    this.#retired = true;
    return this.#connection.stop(reason, true);
  }

  disconnect(reason: string): Promise<void> {
    return this.#connection.stop(reason, true);
  }

  era(): Era | undefined {
    return this.#facts?.era;
  }

  /** Whether a connection is there or being made. */
  isLive(): boolean {
    return isLive(this.#connection.state);
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  instructions(): string | undefined {
    return this.#options.entry.instructions ? this.#facts?.instructions : undefined;
  }

  listing(): Listing {
    return isOffering(this.#connection.state, this.#options.entry.restart) ? this.#lists.known.listing : EMPTY_LISTING;
  }

  /** The last known lists, whatever has become of the connection. */
  get knownListing(): Listing {
    return this.#lists.known.listing;
  }

  /** Whether its tools were read, now or in an earlier run. */
  get knowsTools(): boolean {
    return this.#lists.known.isKnown('tool');
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.#declared.known;
  }

  isKnown(kind?: EntryKind): boolean {
    const { name } = this.#connection.state;
    return this.#lists.known.isKnown(kind) || (name !== 'starting' && name !== 'idle');
  }

  withheld(): readonly WithheldEntry[] {
    return this.#lists.known.withheld;
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    const needsCapability = kind === 'resource' || kind === 'template';
    if (needsCapability && this.#facts?.capabilities.resources === undefined) return false;
    return this.#lists.acceptsUnlisted(kind, ownName);
  }

  /** Somebody approved tools. */
  onPinsChanged(): void {
    this.#lists.known.onPinsChanged();
  }

  /** The rules of its entry are others now. What has no connection is tried again: that may be what the change is for. */
  onRulesChanged(): void {
    this.#calls.onRulesChanged();
    this.#lists.onRulesChanged();
    if (!this.isLive()) this.start();
  }

  /** Somebody logged in or out, maybe to this upstream. */
  async onCredentialsChanged(): Promise<void> {
    const isUsable = await this.#options.transport.authorization?.reload();
    if (isUsable !== true) return;
    if (this.#connection.state.name === 'needs-auth') this.#connection.want(true);
    else this.#connection.onCredentialsChanged();
  }

  onMisfit(toolName: string, problem: string): void {
    this.#misfits.onArguments(toolName, problem);
  }

  onOutputMisfit(toolName: string, problem: string): void {
    if (this.#lists.known.withdrawOutputSchema(toolName)) this.#misfits.onOutput(toolName, problem);
  }

  call(call: ProviderCall): RunningCall {
    const { logLevel } = call.caller.client;
    if (logLevel !== undefined && call.caller.client.era === 'modern') this.#logLevel.raise(logLevel);
    switch (call.text.message.method) {
      case 'resources/subscribe':
        return this.#resources.subscribe(call, (sent) => this.#calls.call(sent));
      case 'resources/unsubscribe':
        return this.#resources.unsubscribe(call, (sent) => this.#calls.call(sent));
      case 'tools/call':
        this.#lists.onCall(call.ownName);
        return this.tasks.call(call, (wrapped) => this.#calls.call(wrapped));
      default:
        return this.tasks.call(call, (wrapped) => this.#calls.call(wrapped));
    }
  }

  sync(): Promise<SyncReport> {
    return syncByHand({
      id: this.id,
      mask: this.#options.mask,
      connection: this.#connection,
      states: this.#states,
      lists: this.#lists,
      tools: () => this.listing().tool,
      lastWords: () => lastWordsOf(this.#stderr.lastOfStart()),
      isRetired: () => this.#retired,
    });
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#logLevel.set(sessionId, level);
  }

  onSessionReady(sessionId: string): void {
    if (this.#asks.rootsMissed) this.onRootsChanged(sessionId);
  }

  onRootsChanged(sessionId: string): void {
    if (this.#options.directory.sole(this)?.sessionId !== sessionId) return;
    const { link } = this.#connection;
    if (link?.era === 'legacy') link.outbox.notify('notifications/roots/list_changed');
  }

  onSessionEnded(sessionId: string): void {
    this.#logLevel.remove(sessionId);
    this.#resources.onSessionEnded(sessionId);
    this.tasks.onSessionEnded(sessionId);
    this.#elicitations.onSessionEnded(sessionId);
  }

  status(): UpstreamStatus {
    return statusOf({
      ...this.#options,
      connection: this.#connection,
      listing: this.listing(),
      lists: this.#lists,
      facts: this.#facts,
      lastError: this.#lastError,
      calls: this.#calls.counts,
      faults: this.#faults.counts(),
      misfits: this.#misfits,
      stderr: this.#stderr.last(),
      startStderr: this.#stderr.lastOfStart(),
    });
  }

  onConnected(link: Link, facts: ServerFacts): void {
    this.#facts = facts;
    this.#lastError = undefined;
    this.#stderr.onConnected();
    this.#asks.attach(link);
    this.#logLevel.onConnected();
    this.tasks.attach(link, facts);
    this.#resources.attach(link, facts);
    this.#calls.onConnected();
    this.#lists.attach(link, facts);
    if (this.#declared.take(facts)) this.#options.onOffer();
  }

  onDisconnected(reason: string, isLost: boolean): void {
    this.#asks.detach(reason);
    this.#calls.tracker.reset();
    this.#lists.detach(isLost ? reason : undefined);
    this.#resources.detach();
    this.tasks.detach();
  }

  onState(state: ConnectionState): void {
    if (TROUBLES.has(state.name) && 'reason' in state) this.#lastError = state.reason;
    const hasStopped = state.name === 'stopped' && !state.byHand;
    if (hasStopped) this.#lastError = state.reason;
    if (state.name === 'starting') this.#stderr.onStarting();
    else if (hasStopped || TROUBLES.has(state.name)) this.#stderr.logLast(this.id);
    this.#calls.onStateChange();
    this.#options.onOffer();
    this.#states.onState();
  }

  get isAwaitingClient(): boolean {
    return this.#calls.isAwaitingClient;
  }

  get hasOpenCalls(): boolean {
    return this.#calls.hasOpen;
  }

  /** The clients that have subscribed to any resource of it. */
  subscribers(): readonly string[] {
    return this.#resources.subscriptions.sessions();
  }

  get isAskingCulprit(): boolean {
    return this.#lists.isAskingCulprit;
  }

  onMissed(): void {
    this.#lists.onListChanged();
  }

  onStderr(line: string): void {
    this.#stderr.push(cleanText(line));
  }

  toolText(ownName: string): ByteString | undefined {
    return this.#lists.known.toolText(ownName);
  }

  onAsk(message: RequestMessage, of?: number): void {
    const shown = this.#pointers.inMessage(message);
    this.#asks.onAsk(shown, this.tasks.askOf(shown), of);
  }

  onAskCancelled(id: ByteString): void {
    this.#asks.onCancelled(id);
  }

  onNotification(message: NotificationMessage, of?: number): void {
    const known = this.#resources.take(this.#pointers.inMessage(message));
    const left = known === undefined ? undefined : this.tasks.take(known);
    if (left !== undefined) this.#notifications.route(left, of);
  }

  onLateAnswer(id: number): void {
    this.#calls.tracker.onLateAnswer(id);
  }

  onLateProgress(id: number, message: NotificationMessage): boolean {
    return this.tasks.onLateProgress(id, message);
  }

  #requestQuietly(method: string, params: unknown): Promise<boolean> {
    const { entry, log } = this.#options;
    return quietRequest(this.#connection.link, method, params, { ms: entry.timeouts.callMs, log });
  }
}
