import type { Provider, ProviderCall, RunningCall } from '../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../core/providers/provider-status.ts';
import { lastWordsOf } from '../core/refusals/last-words.ts';
import { UpstreamParts } from './assembly/upstream-parts.ts';
import type { UpstreamCalls } from './calls/upstream-calls.ts';
import { isLive } from './connection/machine.ts';
import { syncByHand } from './connection/sync-by-hand.ts';
import { OfferingUpstream } from './offer/offering-upstream.ts';
import { ServerOffer } from './offer/server-offer.ts';
import type { UpstreamTasks } from './tasks/upstream-tasks.ts';
import type { UpstreamOptions } from './upstream-options.ts';

/** One configured server as a provider: connected when needed, its lists offered, its calls relayed. */
export class Upstream extends OfferingUpstream implements Provider, UpstreamControl {
  readonly tasks: UpstreamTasks;
  override readonly shown: ServerOffer;
  /** The calls of its clients that are open. */
  readonly calls: Pick<UpstreamCalls, 'hasOpen' | 'isAwaitingClient'>;
  readonly #options: UpstreamOptions;
  readonly #parts: UpstreamParts;
  #isRetired = false;

  constructor(options: UpstreamOptions) {
    super(options);
    this.#options = options;
    this.#parts = new UpstreamParts(options, this);
    const { calls, tasks } = this.#parts;
    this.calls = calls;
    this.tasks = tasks;
    this.shown = new ServerOffer(options, this.#parts, this.misfits);
  }

  /** Begins to connect, unless this upstream is started by calls and its lists are known. */
  start(): void {
    if (this.#isRetired) return;
    if (this.#options.entry.restart !== 'on-demand' || !this.shown.knowsTools) this.#parts.connection.want(true, false);
  }

  /** Ends the process for good: nothing starts it again. Resolves when it is gone. */
  stop(reason: string): Promise<void> {
    this.#isRetired = true;
    return this.#parts.connection.stop(reason, true);
  }

  disconnect(reason: string): Promise<void> {
    return this.#parts.connection.stop(reason, true);
  }

  /** Returns whether a connection is there or being made. */
  isLive(): boolean {
    return isLive(this.shown.state);
  }

  sync(): Promise<SyncReport> {
    const { connection, states, lists, stderr } = this.#parts;
    return syncByHand({
      connection,
      states,
      lists,
      id: this.id,
      mask: this.#options.mask,
      tools: () => this.listing().tool,
      lastWords: () => lastWordsOf(stderr.lastOfStart()),
      isRetired: () => this.#isRetired,
    });
  }

  status(): UpstreamStatus {
    return this.shown.status();
  }

  call(call: ProviderCall): RunningCall {
    const { logLevel, resources, lists, tasks } = this.#parts;
    const { client } = call.caller;
    if (client.logLevel !== undefined && client.era === 'modern') logLevel.raise(client.logLevel);
    switch (call.text.message.method) {
      case 'resources/subscribe':
        return resources.subscribe(call);
      case 'resources/unsubscribe':
        return resources.unsubscribe(call);
      case 'tools/call':
        lists.onCall(call.ownName);
        return tasks.call(call);
      default:
        return tasks.call(call);
    }
  }

  /** Lists the clients that have subscribed to any resource of it. */
  subscribers(): readonly string[] {
    return this.#parts.resources.subscriptions.sessions();
  }

  onOutputMisfit(toolName: string, problem: string): void {
    if (this.#parts.lists.known.withdrawOutputSchema(toolName)) this.misfits.onOutput(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#parts.logLevel.set(sessionId, level);
  }

  onSessionReady(sessionId: string): void {
    if (this.#parts.asks.rootsMissed) this.onRootsChanged(sessionId);
  }

  onRootsChanged(sessionId: string): void {
    if (this.#options.directory.sole(this)?.sessionId !== sessionId) return;
    const { link } = this.#parts.connection;
    if (link?.era === 'legacy') link.outbox.notify('notifications/roots/list_changed');
  }

  onSessionEnded(sessionId: string): void {
    const { logLevel, resources, tasks, elicitations } = this.#parts;
    logLevel.remove(sessionId);
    resources.onSessionEnded(sessionId);
    tasks.onSessionEnded(sessionId);
    elicitations.onSessionEnded(sessionId);
  }

  /** Called when somebody has approved tools. */
  onPinsChanged(): void {
    this.#parts.lists.known.onPinsChanged();
  }

  /** The rules of its entry are others now. What has no connection is tried again: that may be what the change is for. */
  onRulesChanged(): void {
    this.#parts.calls.onRulesChanged();
    this.#parts.lists.onRulesChanged();
    if (!this.isLive()) this.start();
  }

  /** Called when somebody has logged in or out, maybe to this upstream. */
  async onCredentialsChanged(): Promise<void> {
    const isUsable = await this.#options.transport.authorization?.reload();
    if (isUsable !== true) return;
    if (this.shown.state.name === 'needs-auth') this.#parts.connection.want(true);
    else this.#parts.connection.onCredentialsChanged();
  }
}
