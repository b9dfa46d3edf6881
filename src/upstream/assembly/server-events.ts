import { cleanText } from '../../core/text/clean-text.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import type { UpstreamCalls } from '../calls/upstream-calls.ts';
import type { ConnectionOwner } from '../connection/connection-options.ts';
import type { ServerFacts } from '../connection/handshake.ts';
import type { Link } from '../connection/link.ts';
import type { ConnectionState } from '../connection/machine.ts';
import type { StderrTail } from '../connection/stderr-tail.ts';
import type { Asks } from '../events/asks/asks.ts';
import type { NotificationRouter } from '../events/asks/notification-router.ts';
import type { LevelTeller } from '../events/logging/level-teller.ts';
import type { ResourceWatch } from '../events/subscriptions/resource-watch.ts';
import type { DeclaredCapabilities } from '../extensions/declared-capabilities.ts';
import type { IdleStop } from '../idle/idle-stop.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import type { UriPointers } from '../pointers/uri-pointers.ts';
import type { ServerRecord } from '../status/server-record.ts';
import type { StateWaiters } from '../status/state-waiters.ts';
import type { UpstreamTasks } from '../tasks/upstream-tasks.ts';

/** The parts of an upstream that hear about its connection. */
export interface HearingParts {
  readonly record: ServerRecord;
  readonly stderr: StderrTail;
  readonly pointers: UriPointers;
  readonly declared: DeclaredCapabilities;
  readonly calls: UpstreamCalls;
  readonly asks: Asks;
  readonly lists: UpstreamLists;
  readonly resources: ResourceWatch;
  readonly tasks: UpstreamTasks;
  readonly logLevel: LevelTeller;
  readonly notifications: NotificationRouter;
  readonly states: StateWaiters;
  readonly idle: IdleStop;
}

/** Takes what a connection tells to those parts of its upstream that it concerns. */
export class ServerEvents implements ConnectionOwner {
  readonly #key: string;
  readonly #parts: HearingParts;
  readonly #onOffer: () => void;

  /**
   * @param parts may be completed after this
   * @param onOffer is told that the offered lists, or whether they are known, may differ from before
   */
  constructor(key: string, parts: HearingParts, onOffer: () => void) {
    this.#key = key;
    this.#parts = parts;
    this.#onOffer = onOffer;
  }

  get hasOpenCalls(): boolean {
    return this.#parts.calls.hasOpen;
  }

  get isAskingCulprit(): boolean {
    return this.#parts.lists.isAskingCulprit;
  }

  get knowsTools(): boolean {
    return this.#parts.lists.known.isKnown('tool');
  }

  toolText(ownName: string): ByteString | undefined {
    return this.#parts.lists.known.toolText(ownName);
  }

  onConnected(link: Link, facts: ServerFacts): void {
    const { record, stderr, asks, logLevel, tasks, resources, calls, lists, declared } = this.#parts;
    record.onConnected(facts);
    stderr.onConnected();
    asks.attach(link);
    logLevel.onConnected();
    tasks.attach(link, facts);
    resources.attach(link, facts);
    calls.onConnected();
    lists.attach(link, facts);
    if (declared.take(facts)) this.#onOffer();
  }

  onDisconnected(reason: string, isLost: boolean): void {
    const { asks, calls, lists, resources, tasks } = this.#parts;
    asks.detach(reason);
    calls.tracker.reset();
    lists.detach(isLost ? reason : undefined);
    resources.detach();
    tasks.detach();
  }

  onState(state: ConnectionState): void {
    const { record, stderr, calls, states, idle } = this.#parts;
    const isTrouble = record.onState(state);
    if (state.name === 'starting') stderr.onStarting();
    else if (isTrouble) stderr.logLast(this.#key);
    calls.onStateChange();
    this.#onOffer();
    states.onState();
    idle.onState(state);
  }

  onMissed(): void {
    this.#parts.lists.onListChanged();
  }

  onStderr(line: string): void {
    this.#parts.stderr.push(cleanText(line));
  }

  onAsk(message: RequestMessage, of?: number): void {
    const { pointers, asks, tasks } = this.#parts;
    const shown = pointers.inMessage(message);
    asks.onAsk(shown, tasks.askOf(shown), of);
  }

  onAskCancelled(id: ByteString): void {
    this.#parts.asks.onCancelled(id);
  }

  onNotification(message: NotificationMessage, of?: number): void {
    const { pointers, resources, tasks, notifications } = this.#parts;
    const known = resources.take(pointers.inMessage(message));
    const left = known === undefined ? undefined : tasks.take(known);
    if (left !== undefined) notifications.route(left, of);
  }

  onLateAnswer(id: number): void {
    this.#parts.calls.tracker.onLateAnswer(id);
  }

  onLateProgress(id: number, message: NotificationMessage): boolean {
    return this.#parts.tasks.notices.takeLateProgress(id, message);
  }
}
