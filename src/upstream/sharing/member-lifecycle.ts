import type { Caller } from '../../core/providers/provider.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { Member } from './member.ts';
import { ProcessPlaces } from './process-places.ts';

export interface MemberLifecycleHost {
  readonly options: UpstreamOptions;
  /** Returns whether not all clients share one process. */
  isSplit(): boolean;
  onOffer(upstream: Upstream): void;
}

/** Begins and ends the processes of an upstream, as many as there are places for. */
export class MemberLifecycle {
  readonly #host: MemberLifecycleHost;
  readonly #places: ProcessPlaces;
  #common: Member | undefined;
  readonly #ending = new Set<Promise<void>>();

  constructor(host: MemberLifecycleHost) {
    this.#host = host;
    this.#places = new ProcessPlaces(host.options.processes);
  }

  /**
   * The process that was begun to learn what the upstream offers: that of all clients, while they share one; else it
   * belongs to no client, and the next client takes it.
   */
  get common(): Member | undefined {
    return this.#common;
  }

  /** Returns whether all clients use this process. */
  isForAll(member: Member): boolean {
    return member === this.#common && !this.#host.isSplit();
  }

  /** Returns the common process, a new one if there is none. */
  openCommon(): Member {
    this.#common ??= this.#create();
    return this.#common;
  }

  /** Returns a process for a caller that has none; `undefined` if there are too many. */
  beginFor(caller: Caller): Member | undefined {
    if (!this.#host.isSplit()) return this.openCommon();
    const leave = this.#places.take(caller.client.principal);
    if (leave === undefined) return undefined;
    const member = this.#takeCommon(caller) ?? this.#create();
    member.keep(leave);
    return member;
  }

  end(member: Member, reason: string): void {
    if (member === this.#common) this.#common = undefined;
    const ended = member.end(reason).finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Resolves when all processes that were ended so far are gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** Returns the common process, which is the caller's own from now on; `undefined` if it cannot be. */
  #takeCommon(caller: Caller): Member | undefined {
    const common = this.#common;
    this.#common = undefined;
    if (common === undefined || common.owners.size > 0) return undefined;
    if (common.suits(caller)) return common;
    this.end(common, 'the next client gets one of its own');
    return undefined;
  }

  #create(): Member {
    const { options } = this.#host;
    return new Member(options, {
      isForAll: (member) => this.isForAll(member),
      isOfOneClient: options.entry.share !== 'folder',
      onOffer: ({ upstream }) => this.#host.onOffer(upstream),
    });
  }
}
