import type { Provider, ProviderCall, ProviderTasks, RunningCall } from '../../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../../core/providers/provider-status.ts';
import type { Shown } from '../offer/shown.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { MemberLifecycle } from './member-lifecycle.ts';
import { Members } from './members.ts';
import { PoolCalls } from './pool-calls.ts';
import { syncPool } from './sync-pool.ts';
import { UpstreamGroup } from './upstream-group.ts';

/**
 * An upstream with as many processes, or sessions, as its clients need (`share`): one for all, one for each client, or
 * one for each folder. With `auto` it is one for all until the upstream asks a client something. Clients that connect
 * after that get their own process, and those that used the first one keep it. If no client has one, the lists of the
 * last process are offered.
 */
export class UpstreamPool extends UpstreamGroup implements Provider, UpstreamControl {
  readonly #options: UpstreamOptions;
  readonly #members: Members;
  readonly #calls: PoolCalls;

  constructor(options: UpstreamOptions) {
    super(options);
    this.#options = options;
    const isSplit = () => this.#isSplit;
    const lifecycle = new MemberLifecycle({
      options: { ...options, provider: this, misfits: this.misfits },
      isSplit,
      onOffer: (upstream) => this.#onOffer(upstream),
    });
    this.#members = new Members(lifecycle);
    const { roots, logLevels } = this;
    this.#calls = new PoolCalls({ entry: options.entry, members: this.#members, roots, logLevels, isSplit });
  }

  start(): void {
    this.#members.open().start();
  }

  stop(reason: string): Promise<void> {
    return this.#members.stop(reason);
  }

  async disconnect(reason: string): Promise<void> {
    await Promise.all(this.living.map((upstream) => upstream.disconnect(reason)));
  }

  sync(): Promise<SyncReport> {
    return syncPool({ members: this.#members, offer: this.offer, isSplit: () => this.#isSplit });
  }

  status(): UpstreamStatus {
    const status = (this.shown ?? this.#members.open()).status();
    return this.#isSplit ? { ...status, sessions: this.#members.ownedCount } : status;
  }

  call(call: ProviderCall): RunningCall {
    return this.#calls.call(call);
  }

  get tasks(): ProviderTasks {
    return {
      offered: this.offer.leader(this.living)?.tasks.offered,
      watch: async (ownId, watcher) => {
        for (const upstream of this.usedBy(watcher.clientId))
          if (await upstream.tasks.watch(ownId, watcher)) return true;
        return false;
      },
      list: async (sessionId) => {
        const lists = this.usedBy(sessionId).map((upstream) => upstream.tasks.list(sessionId));
        return (await Promise.all(lists)).flat();
      },
      work: () => this.living.flatMap((upstream) => upstream.tasks.work()),
    };
  }

  onSessionReady(sessionId: string): void {
    for (const upstream of this.usedBy(sessionId)) upstream.onSessionReady(sessionId);
  }

  override onRootsChanged(sessionId: string): void {
    super.onRootsChanged(sessionId);
    for (const upstream of this.usedBy(sessionId)) upstream.onRootsChanged(sessionId);
  }

  override onSessionEnded(sessionId: string): void {
    super.onSessionEnded(sessionId);
    this.#members.release(sessionId, 'its client has gone');
    this.#scout();
  }

  protected get living(): readonly Upstream[] {
    return this.#members.all();
  }

  protected usedBy(clientId: string): readonly Upstream[] {
    return this.#members.usedBy(clientId);
  }

  /** The current offer. While all clients share one process, it is that process's offer. */
  protected get shown(): Shown | undefined {
    return this.#isSplit ? this.offer.shown(this.living) : this.#members.open().shown;
  }

  /** True if not all clients share one process. */
  get #isSplit(): boolean {
    const { entry, asking } = this.#options;
    return entry.share !== 'auto' || asking.grade !== undefined;
  }

  #onOffer(upstream: Upstream): void {
    this.offer.onChange(upstream);
    this.#scout();
    this.#options.onOffer();
  }

  /** Starts a process that belongs to no client if nothing else would tell what the upstream offers. */
  #scout(): void {
    if (this.#members.isStopped || !this.#isSplit || this.#members.common !== undefined) return;
    if (this.offer.needsScout(this.living)) this.#members.open().start();
  }
}
