import { attribute, type LeftCall, type TrackedCall, type Verdict } from './attribution.ts';

/** A call that can end without the upstream having answered it. */
export interface EndingCall extends TrackedCall {
  /** The upstream may still work on it, although nobody waits for its answer. */
  readonly mayGoOn: boolean;
}

/** More calls that were given up are not told apart any more. */
const MAX_LEFT = 10_000;

/** Nobody, one, or several. */
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

  /** Whether there is nobody but this one. */
  isOnly(id: string): boolean {
    return !this.#areSeveral && (this.#only ?? id) === id;
  }

  clear(): void {
    this.#only = undefined;
    this.#areSeveral = false;
  }
}

/** What one connection to an upstream has been used for: the evidence by which its messages find their clients. */
export class CallTracker<Call extends EndingCall> {
  readonly #open = new Map<number, Call>();
  /** Calls that were given up and not answered, by the id of the request. */
  readonly #left = new Map<number, LeftCall>();
  /** Clients since the upstream was last without a call. */
  readonly #atOnce = new Users();
  /** Clients since the connection began. */
  readonly #ever = new Users();
  /** A message came while no call was open, after there had been calls. */
  #speaksBetweenCalls = false;

  get open(): Iterable<Call> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  get left(): ReadonlyMap<number, LeftCall> {
    return this.#left;
  }

  find(requestId: number): Call | undefined {
    return this.#open.get(requestId);
  }

  /** The call has been written to the upstream, perhaps once more, under another id than before. */
  onSent(call: Call, idBefore: number): void {
    this.#open.delete(idBefore);
    this.#open.set(call.requestId, call);
    this.#atOnce.add(call.clientId);
    this.#ever.add(call.clientId);
  }

  onSettled(call: Call): void {
    if (!this.#open.delete(call.requestId)) return;
    if (call.mayGoOn) {
      const { owner, clientId } = call;
      this.#left.set(call.requestId, this.#left.size < MAX_LEFT ? { owner, clientId } : SOMEBODY);
    }
    if (this.#open.size === 0) this.#atOnce.clear();
  }

  /** The upstream has not heard of the call, and will not on this connection. */
  onReturned(call: Call): void {
    this.#open.delete(call.requestId);
  }

  /** A call that was given up has been answered all the same. Returns whether it was one. */
  onLateAnswer(requestId: number): boolean {
    return this.#left.delete(requestId);
  }

  /** A client has been asked something outside of calls: what it answered is known to the upstream. */
  onAnswered(clientId: string): void {
    this.#ever.add(clientId);
  }

  /** The connection is gone. */
  reset(): void {
    this.#open.clear();
    this.#left.clear();
    this.#atOnce.clear();
    this.#ever.clear();
    this.#speaksBetweenCalls = false;
  }

  /** Whether a call that was given up, and is not of this owner, may still ask something. */
  isTaintedFor(owner: string): boolean {
    for (const other of this.#left.values()) if (other.owner !== owner) return true;
    return false;
  }

  /**
   * To whom a log message, or the like, belongs that names no call. Such a message need not come while its call is open,
   * so it belongs to nobody where calls of several clients were open since the upstream was last without one; and once the
   * upstream has been heard between calls, where several have used the connection.
   */
  ofNotice(): Verdict<Call> {
    if (this.#open.size === 0) {
      if (this.#ever.isNobody) return { kind: 'no-call' };
      this.#speaksBetweenCalls = true;
      return { kind: 'over' };
    }
    const verdict = attribute({ open: [...this.#open.values()], left: [] });
    if (verdict.kind !== 'client') return verdict;
    const { clientId } = verdict.calls[0];
    const users = this.#speaksBetweenCalls ? this.#ever : this.#atOnce;
    return users.isOnly(clientId) && !this.#hasLeft(clientId) ? verdict : { kind: 'unclear', isBusy: false };
  }

  /** Whether nobody has used the connection but this client. */
  isOnlyOf(clientId: string): boolean {
    return this.#ever.isOnly(clientId) && !this.#hasLeft(clientId);
  }

  /** Whether a call of another client was given up. */
  #hasLeft(clientId: string): boolean {
    for (const call of this.#left.values()) if (call.clientId !== clientId) return true;
    return false;
  }
}

/** Whom nobody is. */
const SOMEBODY: LeftCall = { owner: '\0', clientId: '\0' };
