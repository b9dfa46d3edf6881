import type { Caller } from '../../core/providers/provider.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { Member } from './member.ts';
import { ProcessQuota } from './process-quota.ts';

/** Modern clients do not say when they leave: who has not called for so long is taken to be gone. */
const FORGOTTEN_MS = 10 * 60 * 1000;

/** The most processes of one upstream. */
const MAX_PROCESSES = 64;

export interface MembersHost {
  readonly options: UpstreamOptions;
  /** Whether not all clients share one process. */
  isSplit(): boolean;
  onOffer(upstream: Upstream): void;
}

/** The processes of an upstream, and which of them is whose. */
export class Members {
  readonly #host: MembersHost;
  /** By client, or by whatever else has a process of its own. */
  readonly #byPlace = new Map<string, Member>();
  /** Begun to learn what the upstream offers: the process of all clients, while they share one; else the next client takes it. */
  #open: Member | undefined;
  /** By modern client: when it counts as gone. */
  readonly #forgetting = new Map<string, NodeJS.Timeout>();
  readonly #ending = new Set<Promise<void>>();
  readonly #quota = new ProcessQuota(MAX_PROCESSES);

  constructor(host: MembersHost) {
    this.#host = host;
  }

  all(): Upstream[] {
    return [...this.#distinct()].map(({ upstream }) => upstream);
  }

  /** The number of processes that have an owner. */
  get ownedCount(): number {
    return new Set(this.#byPlace.values()).size;
  }

  /** Whether there is a process that belongs to nobody, or to all. */
  get hasOpen(): boolean {
    return this.#open !== undefined;
  }

  isOpen(upstream: Upstream): boolean {
    return this.#open?.upstream === upstream;
  }

  /** The process that belongs to nobody, or to all. */
  open(): Upstream {
    return this.#ensureOpen().upstream;
  }

  /** Returns the processes that a client has used, and the one that all clients share. */
  usedBy(clientId: string): Upstream[] {
    const used = [...this.#distinct()].filter((member) => member.owners.has(clientId) || this.#isForAll(member));
    return used.map(({ upstream }) => upstream);
  }

  /** Whether the process of this place can take a call now, or is kept by one that waits for its client. */
  isFree(place: string): boolean {
    return this.#byPlace.get(place)?.upstream.isAwaitingClient !== true;
  }

  /** The process of this place, where it has one; the caller uses it from now on. */
  at(place: string, caller: Caller): Upstream | undefined {
    const member = this.#byPlace.get(place);
    if (member === undefined) return undefined;
    const { clientId, era } = caller.client;
    if (!member.owners.has(clientId)) member.claim(caller);
    if (era === 'modern') this.#forgetLater(clientId);
    return member.upstream;
  }

  /** Gives a place a process; `undefined` where there are too many. */
  claim(place: string, caller: Caller): Upstream | undefined {
    const member = this.#host.isSplit() ? this.#ownFor(caller) : this.#ensureOpen();
    if (member === undefined) return undefined;
    member.claim(caller);
    this.#byPlace.set(place, member);
    if (caller.client.era === 'modern') this.#forgetLater(caller.client.clientId);
    return member.upstream;
  }

  /** A client has gone; so has what belonged to it alone. */
  release(clientId: string, reason: string): void {
    clearTimeout(this.#forgetting.get(clientId));
    this.#forgetting.delete(clientId);
    for (const [place, member] of this.#byPlace) {
      if (!member.owners.delete(clientId)) continue;
      if (place === clientId || member.owners.size === 0) this.#byPlace.delete(place);
      if (member.owners.size === 0 && !this.#isForAll(member)) this.#end(member, reason);
    }
  }

  async stop(reason: string): Promise<void> {
    for (const timer of this.#forgetting.values()) clearTimeout(timer);
    this.#forgetting.clear();
    await Promise.all([...[...this.#distinct()].map((member) => member.end(reason)), ...this.#ending]);
  }

  #distinct(): Set<Member> {
    return new Set([...(this.#open === undefined ? [] : [this.#open]), ...this.#byPlace.values()]);
  }

  #isForAll(member: Member): boolean {
    return member === this.#open && !this.#host.isSplit();
  }

  #ensureOpen(): Member {
    this.#open ??= this.#create();
    return this.#open;
  }

  /** The one that nobody has used yet, or a new one; `undefined` where there are too many. */
  #ownFor(caller: Caller): Member | undefined {
    const leave = this.#place(caller.client.principal);
    if (leave === undefined) return undefined;
    const member = this.#unused(caller) ?? this.#create();
    member.keep(leave);
    return member;
  }

  #unused(caller: Caller): Member | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || open.owners.size > 0) return undefined;
    if (open.suits(caller)) return open;
    this.#end(open, 'the next client gets one of its own');
    return undefined;
  }

  /** A place among the processes of this upstream and among those of all. */
  #place(principal: string | undefined): (() => void) | undefined {
    const leave = this.#quota.take(principal);
    const leaveAll = leave === undefined ? undefined : this.#host.options.processes.take(principal);
    if (leaveAll === undefined) {
      leave?.();
      return undefined;
    }
    return () => {
      leave!();
      leaveAll();
    };
  }

  #create(): Member {
    const { options } = this.#host;
    return new Member(options, {
      isForAll: (member) => this.#isForAll(member),
      isOfOneClient: options.entry.share !== 'folder',
      onOffer: ({ upstream }) => this.#host.onOffer(upstream),
    });
  }

  #end(member: Member, reason: string): void {
    if (member === this.#open) this.#open = undefined;
    const ended = member.end(reason).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  #forgetLater(clientId: string): void {
    const timer = this.#forgetting.get(clientId);
    if (timer !== undefined) timer.refresh();
    else this.#forgetting.set(clientId, setTimeout(() => this.#forget(clientId), FORGOTTEN_MS).unref());
  }

  #forget(clientId: string): void {
    const isBusy = this.usedBy(clientId).some((upstream) => upstream.hasOpenCalls || upstream.subscribers().length > 0);
    if (isBusy) this.#forgetting.get(clientId)?.refresh();
    else this.release(clientId, 'its client has not called for ten minutes');
  }
}
