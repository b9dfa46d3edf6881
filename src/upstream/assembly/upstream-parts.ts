import type { Provider } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { UpstreamCalls } from '../calls/upstream-calls.ts';
import { Connection } from '../connection/connection.ts';
import { PeerFaults } from '../connection/peer-faults.ts';
import { quietRequest } from '../connection/quiet-request.ts';
import { StderrTail } from '../connection/stderr-tail.ts';
import { ConnectionControl } from '../control/connection-control.ts';
import { Asks } from '../events/asks/asks.ts';
import { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { NotificationRouter } from '../events/asks/notification-router.ts';
import { LevelTeller } from '../events/logging/level-teller.ts';
import { RootsTeller } from '../events/roots/roots-teller.ts';
import { ResourceWatch } from '../events/subscriptions/resource-watch.ts';
import { DeclaredCapabilities } from '../extensions/declared-capabilities.ts';
import { IdleStop } from '../idle/idle-stop.ts';
import { UpstreamLists } from '../lists/upstream-lists.ts';
import { UriPointers } from '../pointers/uri-pointers.ts';
import { ServerRecord } from '../status/server-record.ts';
import { StateWaiters } from '../status/state-waiters.ts';
import { UpstreamTasks } from '../tasks/upstream-tasks.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { CallHost } from './call-host.ts';
import { ServerEvents } from './server-events.ts';

/**
 * The parts of one upstream, wired to each other: each gets what it needs of the others, and knows no more of them. They are
 * made in this order; a part that is made before another one it needs asks for that one when it needs it.
 */
export class UpstreamParts {
  readonly record = new ServerRecord();
  readonly states: StateWaiters;
  readonly faults: PeerFaults;
  readonly stderr: StderrTail;
  readonly pointers: UriPointers;
  readonly declared: DeclaredCapabilities;
  readonly elicitations: ElicitationIds;
  readonly connection: Connection;
  readonly control: ConnectionControl;
  readonly calls: UpstreamCalls;
  readonly asks: Asks;
  readonly roots: RootsTeller;
  readonly lists: UpstreamLists;
  readonly resources: ResourceWatch;
  readonly tasks: UpstreamTasks;
  readonly logLevel: LevelTeller;
  readonly notifications: NotificationRouter;
  readonly idle: IdleStop;

  /** @param provider the upstream as its own questions see it, where it is not one of several processes */
  constructor(options: UpstreamOptions, provider: Provider) {
    const { entry, log, mask, uris } = options;
    this.states = new StateWaiters(() => this.connection.state);
    this.faults = new PeerFaults(log, mask);
    this.stderr = new StderrTail(log, mask);
    this.pointers = new UriPointers(uris, entry.key);
    this.declared = new DeclaredCapabilities(entry, options.declared);
    this.elicitations = newElicitationIds(options);
    const events = new ServerEvents(entry.key, this, options.onOffer);
    this.connection = new Connection({ ...options, faults: this.faults }, events);
    this.control = new ConnectionControl(options, this);
    this.calls = new UpstreamCalls(new CallHost(options, this));
    this.asks = newAsks(options, this, provider);
    this.roots = new RootsTeller({
      provider,
      directory: options.directory,
      connection: this.connection,
      asks: this.asks,
    });
    this.lists = newLists(options, this);
    this.resources = newResourceWatch(options, this);
    this.tasks = newTasks(options, this);
    this.logLevel = newLevelTeller(options, this);
    this.notifications = newNotificationRouter(options, this, options.provider ?? provider);
    this.idle = newIdleStop(entry, this);
  }
}

function newIdleStop(entry: UpstreamEntry, { connection, calls, resources, tasks }: UpstreamParts): IdleStop {
  return new IdleStop({
    entry,
    state: () => connection.state,
    isBusy: () => calls.hasOpen || resources.subscriptions.sessions().length > 0 || tasks.isUsed,
    stop: (reason) => connection.endUnused(reason),
  });
}

function newElicitationIds({ entry, told, directory }: UpstreamOptions): ElicitationIds {
  const isTold = (sessionId: string) => directory.get(sessionId) !== undefined;
  return new ElicitationIds({ upstream: entry.key, told, isTold });
}

function newAsks({ entry, directory, asking }: UpstreamOptions, parts: UpstreamParts, provider: Provider): Asks {
  return new Asks({
    provider,
    directory,
    tracker: parts.calls.tracker,
    elicitations: parts.elicitations,
    get maxWaiting() {
      return Math.max(1, Math.floor(entry.maxConcurrency / 2));
    },
    onAsked: (isNamed) => asking.note(isNamed),
    advice: () => `"share: session" for "${entry.key}" in the gateway's config gives each client its own process`,
  });
}

function newLists(options: UpstreamOptions, { connection, calls }: UpstreamParts): UpstreamLists {
  return new UpstreamLists({
    ...options,
    onListed: () => connection.onListed(),
    onChanged: options.onOffer,
    onUnlisted: (reason) => connection.onUnlisted(reason),
    hasOpenCalls: () => calls.hasOpen,
  });
}

function newResourceWatch({ entry, log }: UpstreamOptions, parts: UpstreamParts): ResourceWatch {
  return new ResourceWatch({
    upstream: entry.key,
    log,
    get patienceMs() {
      return entry.timeouts.callMs;
    },
    request: (method, params) =>
      quietRequest(parts.connection.link, method, params, { ms: entry.timeouts.callMs, log }),
    send: (call) => parts.calls.call(call),
    taskIds: () => parts.tasks.watchedIds(),
    onMissed: () => parts.lists.onListChanged(),
  });
}

function newTasks({ entry, directory, log }: UpstreamOptions, parts: UpstreamParts): UpstreamTasks {
  return new UpstreamTasks({
    upstream: entry.key,
    directory,
    log,
    get listMs() {
      return entry.timeouts.listMs;
    },
    tracker: parts.calls.tracker,
    send: (call) => parts.calls.call(call),
    onWatchedChanged: () => parts.resources.onTasksChanged(),
    onLeftOut: () => parts.faults.leftOut(),
  });
}

function newLevelTeller({ entry, log }: UpstreamOptions, { connection, record }: UpstreamParts): LevelTeller {
  return new LevelTeller({
    isAble: () =>
      connection.link !== undefined &&
      record.facts?.era === 'legacy' &&
      record.facts.capabilities.logging !== undefined,
    request: (level) =>
      quietRequest(connection.link, 'logging/setLevel', { level }, { ms: entry.timeouts.callMs, log }),
  });
}

function newNotificationRouter(
  { directory }: UpstreamOptions,
  { resources, calls, elicitations, pointers, lists, faults }: UpstreamParts,
  provider: Provider,
): NotificationRouter {
  return new NotificationRouter({
    provider,
    directory,
    subscriptions: resources.subscriptions,
    tracker: calls.tracker,
    elicitations,
    publicUri: (uri) => pointers.publicUri(uri),
    onListChanged: (kinds) => lists.onListChanged(kinds),
    onLeftOut: () => faults.leftOut(),
  });
}
