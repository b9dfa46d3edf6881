import type { Caller } from '../../core/providers/provider.ts';
import type { Upstream } from '../upstream.ts';
import type { Member } from './member.ts';
import type { MemberLifecycle } from './member-lifecycle.ts';
import { SilentClients } from './silent-clients.ts';

/** The processes of an upstream, and which of them is whose. */
export class Members {
  readonly #lifecycle: MemberLifecycle;
  /** The members by client, or by anything else that has a process of its own. */
  readonly #byPlace = new Map<string, Member>();
  readonly #silent: SilentClients;
  #isStopped = false;

  constructor(lifecycle: MemberLifecycle) {
    this.#lifecycle = lifecycle;
    this.#silent = new SilentClients({
      isBusy: (clientId) => this.usedBy(clientId).some(({ activity }) => activity.isBusy),
      onGone: (clientId) => this.release(clientId, 'its client has not called for ten minutes'),
    });
  }

  /** Tells whether all were ended for good. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Returns all present processes. */
  all(): Upstream[] {
    return [...this.#distinct()].map(({ upstream }) => upstream);
  }

  /** The number of processes that have an owner. */
  get ownedCount(): number {
    return new Set(this.#byPlace.values()).size;
  }

  /** The process that belongs to no single client, if there is one. */
  get common(): Upstream | undefined {
    return this.#lifecycle.common?.upstream;
  }

  /** Returns the process that belongs to no single client; a new one if there is none. */
  open(): Upstream {
    return this.#lifecycle.openCommon().upstream;
  }

  /** Returns the processes that a client has used, and the one that all clients share. */
  usedBy(clientId: string): Upstream[] {
    const used = [...this.#distinct()].filter(
      (member) => member.owners.has(clientId) || this.#lifecycle.isForAll(member),
    );
    return used.map(({ upstream }) => upstream);
  }

  /** Returns whether the process of this place can take a call now, or is kept by one that waits for its client. */
  isFree(place: string): boolean {
    return this.#byPlace.get(place)?.upstream.activity.isAwaitingClient !== true;
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
    const member = this.#lifecycle.beginFor(caller);
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
      if (member.owners.size === 0 && !this.#lifecycle.isForAll(member)) this.#lifecycle.end(member, reason);
    }
  }

  /** Ends all processes; resolves when they are gone. */
  async stop(reason: string): Promise<void> {
    this.#isStopped = true;
    this.#silent.clear();
    await Promise.all([...[...this.#distinct()].map((member) => member.end(reason)), this.#lifecycle.ended()]);
  }

  #distinct(): Set<Member> {
    const { common } = this.#lifecycle;
    return new Set([...(common === undefined ? [] : [common]), ...this.#byPlace.values()]);
  }
}
