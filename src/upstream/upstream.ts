import type { Provider, ProviderCall, RunningCall } from '../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../core/providers/provider-status.ts';
import { UpstreamParts } from './assembly/upstream-parts.ts';
import { isLive } from './connection/machine.ts';
import { OfferingUpstream } from './offer/offering-upstream.ts';
import { ServerOffer } from './offer/server-offer.ts';
import { ClientActivity } from './status/client-activity.ts';
import type { UpstreamTasks } from './tasks/upstream-tasks.ts';
import type { UpstreamOptions } from './upstream-options.ts';

/** One configured server as a provider: connected when needed, its lists offered, its calls relayed. */
export class Upstream extends OfferingUpstream implements Provider, UpstreamControl {
  readonly tasks: UpstreamTasks;
  override readonly shown: ServerOffer;
  readonly activity: ClientActivity;
  readonly #parts: UpstreamParts;

  constructor(options: UpstreamOptions) {
    super(options);
    this.#parts = new UpstreamParts(options, this);
    const { calls, tasks, resources } = this.#parts;
    this.tasks = tasks;
    this.activity = new ClientActivity(calls, resources);
    this.shown = new ServerOffer(options, this.#parts, this.misfits);
  }

  /** Begins to connect, unless this upstream is started by calls and its lists are known. */
  start(): void {
    this.#parts.control.start();
  }

  /** Ends the process for good: nothing starts it again. Resolves when it is gone. */
  stop(reason: string): Promise<void> {
    return this.#parts.control.retire(reason);
  }

  disconnect(reason: string): Promise<void> {
    return this.#parts.control.disconnect(reason);
  }

  /** Returns whether a connection is there or being made. */
  isLive(): boolean {
    return isLive(this.shown.state);
  }

  sync(): Promise<SyncReport> {
    return this.#parts.control.sync(() => this.listing().tool);
  }

  status(): UpstreamStatus {
    return this.shown.status();
  }

  call(call: ProviderCall): RunningCall {
    const { idle, logLevel, resources, lists, tasks } = this.#parts;
    const { client } = call.caller;
    idle.onCall(client);
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

  onOutputMisfit(toolName: string, problem: string): void {
    if (this.#parts.lists.known.withdrawOutputSchema(toolName)) this.misfits.onOutput(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#parts.logLevel.set(sessionId, level);
  }

  onSessionReady(sessionId: string): void {
    this.#parts.roots.onSessionReady(sessionId);
  }

  onRootsChanged(sessionId: string): void {
    this.#parts.roots.onRootsChanged(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    const { idle, logLevel, resources, tasks, elicitations } = this.#parts;
    idle.onSessionEnded(sessionId);
    logLevel.remove(sessionId);
    resources.onSessionEnded(sessionId);
    tasks.onSessionEnded(sessionId);
    elicitations.onSessionEnded(sessionId);
  }

  /** Called when a user has approved tools. */
  onPinsChanged(): void {
    this.#parts.lists.known.onPinsChanged();
  }

  /** The rules of its entry are others now. What has no connection is tried again: that may be what the change is for. */
  onRulesChanged(): void {
    this.#parts.calls.onRulesChanged();
    this.#parts.lists.onRulesChanged();
    this.#parts.idle.onRulesChanged();
    if (!this.isLive()) this.start();
  }

  /** Called when a user has logged in or out, perhaps to this upstream. */
  onCredentialsChanged(): Promise<void> {
    return this.#parts.control.onCredentialsChanged();
  }
}
