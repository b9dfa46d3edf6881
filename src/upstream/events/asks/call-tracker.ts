import { TransientMap } from '../../../core/collections/transient-map.ts';
import { attribute, type TrackedCall, type Verdict } from './attribution.ts';

/** A call that can end without the upstream having answered it. */
export interface EndingCall extends TrackedCall {
  /** The upstream may still work on it, although no client waits for its answer. */
  readonly mayGoOn: boolean;
}

/** The number of abandoned calls that are told apart. If there are more, one of them may belong to any client. */
const MAX_LEFT = 10_000;
/** A call that matches no request and no owner. */
const OVERFLOW = { requestId: -1, owner: '\0' };

/** Remembers whether a connection had no user, one user or several. */
class Users {
  #only: string | undefined;
  #areSeveral = false;

  get isNobody(): boolean {
    return this.#only === undefined;
  }

  add(id: string): void {
    if (this.#only === undefined) this.#only = id;
    else if (this.#only !== id) this.#areSeveral = true;
  }

  /** Returns whether there is no other than this one. */
  isOnly(id: string): boolean {
    return !this.#areSeveral && (this.#only ?? id) === id;
  }

  clear(): void {
    this.#only = undefined;
    this.#areSeveral = false;
  }
}

/** Tracks the calls on one connection to an upstream: the evidence for which client a message belongs to. */
export class CallTracker<Call extends EndingCall> {
  readonly #open = new TransientMap<number, Call>();
  /** Calls that were given up and not answered: their owners by the id of the request. */
  readonly #left = new Map<number, string>();
  /** Owners of all calls on this connection, and who has answered questions. */
  readonly #ever = new Users();

  get open(): Iterable<Call> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  get left(): ReadonlyMap<number, string> {
    return this.#left;
  }

  find(requestId: number): Call | undefined {
    return this.#open.get(requestId);
  }

  /** The call has been written to the upstream, perhaps once more, under another id than before. */
  onSent(call: Call, idBefore: number): void {
    this.#open.take(idBefore);
    this.#open.set(call.requestId, call);
    this.#ever.add(call.owner);
  }

  onSettled(call: Call): void {
    if (this.#open.take(call.requestId) === undefined) return;
    if (!call.mayGoOn) return;
    const { requestId, owner } = this.#left.size < MAX_LEFT ? call : OVERFLOW;
    this.#left.set(requestId, owner);
  }

  /** The upstream has not heard of the call, and will not on this connection. */
  onReturned(call: Call): void {
    this.#open.take(call.requestId);
  }

  /** A call that was given up has been answered all the same: it asks nothing from now on. */
  onLateAnswer(requestId: number): void {
    this.#left.delete(requestId);
  }

  /** A client has been asked something outside of calls: what it answered is known to the upstream. */
  onAnswered(owner: string): void {
    this.#ever.add(owner);
  }

  /** The connection is gone. */
  reset(): void {
    this.#open.clear();
    this.#left.clear();
    this.#ever.clear();
  }

  /** Returns whether a call that was given up, and is not of this owner, may still ask something. */
  isTaintedFor(owner: string): boolean {
    for (const other of this.#left.values()) if (other !== owner) return true;
    return false;
  }

  /**
   * Finds the client that a log message or the like belongs to if it names no call. Unlike a question, it need not arrive
   * while its call is open, so it has no owner once several owners have used the connection.
   */
  ofNotice(): Verdict<Call> {
    if (this.#open.size === 0) return { kind: this.#ever.isNobody ? 'no-call' : 'over' };
    const verdict = attribute({ open: [...this.#open.values()], leftOwners: this.#left.values() });
    if (verdict.kind !== 'client' || this.#ever.isOnly(verdict.calls[0].owner)) return verdict;
    return { kind: 'unclear', isBusy: false };
  }

  /** Returns whether only this owner has used the connection. */
  isOnlyOf(owner: string): boolean {
    return this.#ever.isOnly(owner);
  }
}
