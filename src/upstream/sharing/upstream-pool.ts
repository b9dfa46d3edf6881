import { GatewayError, toGatewayError } from '../../core/errors.ts';
import { ClientRoots } from '../../core/folders/client-roots.ts';
import {
  EMPTY_LISTING,
  type EntryKind,
  type Era,
  type Listing,
  NOTHING_TO_CANCEL,
  type Provider,
  type ProviderCall,
  type ProviderTasks,
  type RunningCall,
  type WithheldEntry,
} from '../../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../../core/providers/provider-status.ts';
import { isAboutTask } from '../../era/tasks.ts';
import { Misfits } from '../status/misfits.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { folderKey } from './folder-key.ts';
import { Members } from './members.ts';
import { Offer, type Shown } from './offer.ts';

/** The most processes for calls of one client that wait for answers: as many calls may be parked. */
const MAX_PLACES = 16;

/**
 * An upstream with as many processes, or sessions, as its clients need (`share`): one for all, one for each client, or one
 * for each folder. With `auto` it is one for all until the upstream asks a client something; whoever comes after that gets
 * one of his own, and those who have used the first keep it. Where nobody has one, what the last said is offered.
 */
export class UpstreamPool implements Provider, UpstreamControl {
  readonly kind = 'upstream';
  readonly id: string;
  readonly #options: UpstreamOptions;
  readonly #members: Members;
  readonly #offer = new Offer();
  readonly #roots: ClientRoots;
  /** Asked for, perhaps before the client has a process: asking alone is no reason to start one. */
  readonly #logLevels = new Map<string, string>();
  readonly #misfits: Misfits;
  #isStopped = false;

  constructor(options: UpstreamOptions) {
    this.id = options.entry.key;
    this.#options = options;
    this.#misfits = new Misfits(options.log);
    this.#roots = new ClientRoots((reason) => options.log.warn({ event: 'roots' }, reason));
    this.#members = new Members({
      options: { ...options, provider: this, misfits: this.#misfits },
      isSplit: () => this.#isSplit,
      onOffer: (upstream) => {
        this.#offer.onChange(upstream);
        this.#scout();
        options.onOffer();
      },
    });
  }

  /** Not all clients share one process. */
  get #isSplit(): boolean {
    const { entry, asking } = this.#options;
    return entry.share !== 'auto' || asking.grade !== undefined;
  }

  get prefix(): string {
    return this.#options.entry.prefix;
  }

  get validation(): Provider['validation'] {
    return this.#options.entry.validation;
  }

  start(): void {
    this.#members.open().start();
  }

  stop(reason: string): Promise<void> {
    this.#isStopped = true;
    return this.#members.stop(reason);
  }

  async disconnect(reason: string): Promise<void> {
    await Promise.all(this.#living.map((upstream) => upstream.disconnect(reason)));
  }

  /** Others that are in trouble are given a chance too. */
  async sync(): Promise<SyncReport> {
    const chosen = this.#offer.leader(this.#living) ?? this.#living.find((upstream) => upstream.isLive());
    const troubled = this.#living.filter((upstream) => upstream !== chosen && upstream.state.name !== 'ready');
    const [report] = await Promise.all([this.#syncOne(chosen), ...troubled.map((upstream) => quietly(upstream))]);
    return report;
  }

  listing(): Listing {
    return this.#shown?.listing() ?? EMPTY_LISTING;
  }

  isKnown(kind?: EntryKind): boolean {
    return this.#shown?.isKnown(kind) ?? false;
  }

  era(): Era | undefined {
    return this.#shown?.era();
  }

  declared(): Readonly<Record<string, unknown>> | undefined {
    return this.#shown?.declared();
  }

  withheld(): readonly WithheldEntry[] {
    return this.#shown?.withheld() ?? [];
  }

  acceptsUnlisted(kind: EntryKind, ownName: string): boolean {
    return this.#shown?.acceptsUnlisted(kind, ownName) ?? false;
  }

  instructions(): string | undefined {
    return this.#shown?.instructions();
  }

  call(call: ProviderCall): RunningCall {
    return this.#options.entry.share === 'folder' ? this.#callInFolder(call) : this.#callAt(this.#placeOf(call), call);
  }

  get tasks(): ProviderTasks {
    return {
      offered: this.#offer.leader(this.#living)?.tasks.offered,
      watch: async (ownId, watcher) => {
        for (const upstream of this.#members.usedBy(watcher.clientId))
          if (await upstream.tasks.watch(ownId, watcher)) return true;
        return false;
      },
      list: async (sessionId) => {
        const lists = this.#members.usedBy(sessionId).map((upstream) => upstream.tasks.list(sessionId));
        return (await Promise.all(lists)).flat();
      },
    };
  }

  onPinsChanged(): void {
    for (const upstream of this.#living) upstream.onPinsChanged();
  }

  /** The rules of its entry are others now; they hold for what is shown of a process that has ended, too. */
  onRulesChanged(): void {
    for (const upstream of new Set([...this.#living, ...this.#offer.last])) upstream.onRulesChanged();
  }

  async onCredentialsChanged(): Promise<void> {
    await Promise.all(this.#living.map((upstream) => upstream.onCredentialsChanged()));
  }

  onMisfit(toolName: string, problem: string): void {
    this.#misfits.onArguments(toolName, problem);
  }

  onOutputMisfit(toolName: string, problem: string): void {
    for (const upstream of this.#living) upstream.onOutputMisfit(toolName, problem);
  }

  setLogLevel(sessionId: string, level: string): void {
    this.#logLevels.set(sessionId, level);
    for (const upstream of this.#members.usedBy(sessionId)) upstream.setLogLevel(sessionId, level);
  }

  onSessionReady(sessionId: string): void {
    for (const upstream of this.#members.usedBy(sessionId)) upstream.onSessionReady(sessionId);
  }

  onRootsChanged(sessionId: string): void {
    this.#roots.forget(sessionId);
    for (const upstream of this.#members.usedBy(sessionId)) upstream.onRootsChanged(sessionId);
  }

  onSessionEnded(sessionId: string): void {
    this.#logLevels.delete(sessionId);
    this.#roots.forget(sessionId);
    // The calls of one modern client may come under ids of their own; what is held for such an id is given up.
    for (const upstream of this.#living) upstream.onSessionEnded(sessionId);
    this.#members.release(sessionId, 'its client has gone');
    this.#scout();
  }

  status(): UpstreamStatus {
    const status = (this.#shown ?? this.#members.open()).status();
    return this.#isSplit ? { ...status, sessions: this.#members.ownedCount } : status;
  }

  get #living(): readonly Upstream[] {
    return this.#members.all();
  }

  /** That a client has left, or that its process fails, says nothing of the upstream: then one that is nobody's is asked. */
  async #syncOne(chosen: Upstream | undefined): Promise<SyncReport> {
    if (chosen === undefined) return this.#members.open().sync();
    try {
      const report = await chosen.sync();
      if (this.#living.includes(chosen)) return report;
    } catch (error) {
      const isOnlyOne = !this.#isSplit || (this.#members.isOpen(chosen) && this.#living.includes(chosen));
      if (isOnlyOne || this.#isStopped) throw error;
    }
    return this.#syncOne(this.#offer.leader(this.#living.filter((upstream) => upstream !== chosen)));
  }

  /** Starts a process that is nobody's where nothing else would tell what the upstream offers. */
  #scout(): void {
    if (this.#isStopped || !this.#isSplit || this.#members.hasOpen) return;
    if (this.#offer.needsScout(this.#living)) this.#members.open().start();
  }

  /** While all share one process, what it offers is what is offered. */
  get #shown(): Shown | undefined {
    return this.#isSplit ? this.#offer.shown(this.#living) : this.#members.open();
  }

  #callInFolder(call: ProviderCall): RunningCall {
    const choosing = new AbortController();
    let running: RunningCall | undefined;
    folderKey(call, this.#roots, choosing.signal)
      .then((folder) => {
        if (!choosing.signal.aborted) running = this.#callAt(folder, call);
      })
      .catch((error: unknown) => {
        if (!choosing.signal.aborted) call.caller.onFailure(toGatewayError(error));
      });
    return {
      cancel(reason) {
        choosing.abort();
        running?.cancel(reason);
      },
    };
  }

  /**
   * Calls of 2026-07-28 over HTTP keep nothing between them, so one need not wait behind another whose client is being asked
   * and may never come back: it runs in a further process.
   */
  #placeOf({ caller }: ProviderCall): string {
    const { clientId, era } = caller.client;
    if (!this.#isSplit || era === 'legacy' || caller.sessionId === clientId) return clientId;
    const places = Array.from({ length: MAX_PLACES }, (_, index) => (index === 0 ? clientId : `${clientId} ${index}`));
    return places.find((place) => this.#members.isFree(place)) ?? clientId;
  }

  /** `place` is who, or what, has a process of its own. */
  #callAt(place: string, call: ProviderCall): RunningCall {
    const known = this.#members.at(place, call.caller);
    if (known !== undefined) return known.call(call);
    if (this.#isSplit && isAboutTask(call.text.message.method)) {
      call.caller.onFailure(new GatewayError('UNKNOWN_TASK', 'Task not found'));
      return NOTHING_TO_CANCEL;
    }
    const { caller } = call;
    if (caller.client.isSessionless === true && place === caller.client.clientId) {
      const why = `${this.id}: each client has a process or session of its own there; send "initialize" first`;
      caller.onFailure(new GatewayError('SESSION_NEEDED', why, { upstream: this.id, effect: 'none' }));
      return NOTHING_TO_CANCEL;
    }
    const begun = this.#begin(place, call) ?? this.#members.at(caller.client.clientId, caller);
    if (begun !== undefined) return begun.call(call);
    const text = `${this.id}: too many clients have a process or session of their own. End one of them and try again`;
    const detail = { upstream: this.id, effect: 'none', retryAfterMs: 60_000 } as const;
    call.caller.onFailure(new GatewayError('OVERLOADED', text, detail));
    return NOTHING_TO_CANCEL;
  }

  #begin(place: string, { caller }: ProviderCall): Upstream | undefined {
    const upstream = this.#members.claim(place, caller);
    if (upstream === undefined) return undefined;
    const { sessionId } = caller;
    const level = this.#logLevels.get(sessionId);
    if (level !== undefined) upstream.setLogLevel(sessionId, level);
    // One that has begun is not begun anew: that would forget how often its process has ended.
    if (upstream.state.name === 'idle') upstream.start();
    upstream.onSessionReady(sessionId);
    return upstream;
  }
}

/** Some may be in trouble for good. */
async function quietly(upstream: Upstream): Promise<void> {
  await upstream.sync().catch(() => undefined);
}
