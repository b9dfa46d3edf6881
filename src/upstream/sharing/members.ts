import type { Caller } from '../../core/providers/provider.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { Member } from './member.ts';
import { ProcessPlaces } from './process-places.ts';
import { SilentClients } from './silent-clients.ts';

export interface MembersHost {
  readonly options: UpstreamOptions;
  /** Returns whether not all clients share one process. */
  isSplit(): boolean;
  onOffer(upstream: Upstream): void;
}

/** The processes of an upstream, and which of them is whose. */
export class Members {
  readonly #host: MembersHost;
  /** The members by client, or by whatever else has a process of its own. */
  readonly #byPlace = new Map<string, Member>();
  /** Begun to learn what the upstream offers: the process of all clients, while they share one; else the next client takes it. */
  #open: Member | undefined;
  readonly #ending = new Set<Promise<void>>();
  readonly #places: ProcessPlaces;
  readonly #silent: SilentClients;

  constructor(host: MembersHost) {
    this.#host = host;
    this.#places = new ProcessPlaces(host.options.processes);
    this.#silent = new SilentClients({
      isBusy: (clientId) => this.usedBy(clientId).some(isBusy),
      onGone: (clientId) => this.release(clientId, 'its client has not called for ten minutes'),
    });
  }

  /** Returns all present processes. */
  all(): Upstream[] {
    return [...this.#distinct()].map(({ upstream }) => upstream);
  }

  /** The number of processes that have an owner. */
  get ownedCount(): number {
    return new Set(this.#byPlace.values()).size;
  }

  /** The process that belongs to nobody, or to all, if there is one. */
  get common(): Upstream | undefined {
    return this.#open?.upstream;
  }

  /** Returns the process that belongs to nobody, or to all; a new one if there is none. */
  open(): Upstream {
    return this.#ensureOpen().upstream;
  }

  /** Returns the processes that a client has used, and the one that all clients share. */
  usedBy(clientId: string): Upstream[] {
    const used = [...this.#distinct()].filter((member) => member.owners.has(clientId) || this.#isForAll(member));
    return used.map(({ upstream }) => upstream);
  }

  /** Returns whether the process of this place can take a call now, or is kept by one that waits for its client. */
  isFree(place: string): boolean {
    return this.#byPlace.get(place)?.upstream.calls.isAwaitingClient !== true;
  }

  /** Returns the process of this place, where it has one; the caller uses it from now on. */
  at(place: string, caller: Caller): Upstream | undefined {
    const member = this.#byPlace.get(place);
    if (member === undefined) return undefined;
    if (!member.owners.has(caller.client.clientId)) member.claim(caller);
    this.#silent.onCall(caller.client);
    return member.upstream;
  }

  /** Gives a place a process and returns it; `undefined` if there are too many. */
  claim(place: string, caller: Caller): Upstream | undefined {
    const member = this.#host.isSplit() ? this.#ownFor(caller) : this.#ensureOpen();
    if (member === undefined) return undefined;
    member.claim(caller);
    this.#byPlace.set(place, member);
    this.#silent.onCall(caller.client);
    return member.upstream;
  }

  /** Lets go of a client that has gone, and of what belonged to it alone. */
  release(clientId: string, reason: string): void {
    this.#silent.remove(clientId);
    for (const [place, member] of this.#byPlace) {
      if (!member.owners.delete(clientId)) continue;
      if (place === clientId || member.owners.size === 0) this.#byPlace.delete(place);
      if (member.owners.size === 0 && !this.#isForAll(member)) this.#end(member, reason);
    }
  }

  /** Ends all processes; resolves when they are gone. */
  async stop(reason: string): Promise<void> {
    this.#silent.clear();
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

  /** Returns the one that nobody has used yet, or a new one; `undefined` if there are too many. */
  #ownFor(caller: Caller): Member | undefined {
    const leave = this.#places.take(caller.client.principal);
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
}

function isBusy(upstream: Upstream): boolean {
  return upstream.calls.hasOpen || upstream.subscribers().length > 0;
}
