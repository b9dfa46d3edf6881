import type { ProviderCall } from '../../core/providers/provider.ts';
import { eraEdits } from '../../era/call-edits.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { type CallEdits, spliceCall } from '../../wire/edits/call-text.ts';
import type { Edit } from '../../wire/frame.ts';
import type { Link } from '../connection/link.ts';
import type { Waiter } from '../connection/pending.ts';

/** The call of which a request is made. */
export interface RequestedCall {
  readonly call: ProviderCall;
  /** The request is about to be written to the upstream; `idBefore` is the id of an earlier try, or -1. */
  onWritten(idBefore: number): void;
}

/**
 * The request that a call is at its upstream. It may be sent more than once, on one connection or on several, and its time
 * counts only while it is with the upstream.
 */
export class CallRequest {
  readonly #of: RequestedCall;
  readonly #limitMs: number;
  #link: Link | undefined;
  /** The link's id of what is open there: the request, or the place that it has while it is parked. */
  #openId = -1;
  /** The id of the last try that was written to the upstream. */
  #id = -1;
  #sentAt = 0;
  /** The time that earlier tries took. */
  #spentMs = 0;
  #isParked = false;
  #isPaused = false;

  /** @param limitMs how long all tries together may take */
  constructor(of: RequestedCall, limitMs: number) {
    this.#of = of;
    this.#limitMs = limitMs;
  }

  /** The id under which the upstream knows it, which is its token for progress too; -1 before it is written. */
  get id(): number {
    return this.#id;
  }

  /** The connection on which it was sent. Without one, the upstream does not have it. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** The time that is left for it. */
  get leftMs(): number {
    return Math.max(1, Math.round(this.#limitMs - this.#spentMs));
  }

  /**
   * Sends it on a connection, once more where it was sent before.
   * @param waiter who gets the answer
   * @param retry edits besides those that make it a request of the upstream's era
   */
  send(link: Link, waiter: Waiter, retry: readonly Edit[] = []): void {
    this.unpark();
    this.#link = link;
    const { text, ownName, ownToken, caller } = this.#of.call;
    const target = ownName === text.target ? undefined : ownToken;
    const edits = eraEdits(text, caller.client, link.era);
    const era = retry.length === 0 ? edits : [...retry, ...(edits ?? [])];
    this.#sentAt = performance.now();
    this.#open(
      link,
      link.send(waiter, (id) => {
        const before = this.#id;
        this.#id = id;
        this.#of.onWritten(before);
        return spliceCall(text, { id, progressToken: id, target, era } satisfies CallEdits);
      }),
    );
  }

  /** Takes it off its connection: the upstream has not heard of it. */
  takeBack(): void {
    this.#stopClock();
    this.#link = undefined;
  }

  /** Pauses its time limit, for every try, until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#link?.pending.pause(this.#openId);
  }

  resume(): void {
    this.#isPaused = false;
    this.#link?.pending.resume(this.#openId);
  }

  /** Keeps its place on the connection while nothing of it is with the upstream. */
  park(waiter: Waiter): void {
    if (this.#link === undefined) return;
    this.#stopClock();
    this.#open(this.#link, this.#link.pending.add(waiter, true));
    this.#isParked = true;
  }

  /** Gives up the place of a parked request. */
  unpark(): void {
    if (this.#isParked) this.#link?.pending.take(this.#openId);
    this.#isParked = false;
  }

  /** Tells the upstream, if it has the request, that the answer is no longer wanted. */
  cancel(reason: ByteString | undefined): void {
    this.#link?.cancel(this.#openId, reason);
  }

  #open(link: Link, openId: number): void {
    this.#openId = openId;
    if (this.#isPaused) link.pending.pause(openId);
  }

  #stopClock(): void {
    this.#spentMs += performance.now() - this.#sentAt;
  }
}
