import { randomBytes, randomUUID } from 'node:crypto';
import { StateSeal } from '../../era/request-state.ts';

/** A call that waits until its client calls again. */
export interface ParkedCall {
  readonly id: string;
  /** The client that it belongs to, as far as the protocol tells. */
  readonly identity: string;
  /** Digest of the method and its arguments. */
  readonly digest: string;
  /** The client has not come back in time, or never will. */
  onGivenUp(reason: string): void;
}

/** Time that a client has to answer, in milliseconds: people are asked, and may be away from their desk. */
const PATIENCE_MS = 10 * 60_000;
const MAX_CALLS = 512;
const MAX_CALLS_PER_CLIENT = 16;
const KEY_BYTES = 32;
const INSTANCE_BYTES = 6;

interface ParkedEntry<Call extends ParkedCall> {
  readonly call: Call;
  readonly nonce: string;
  readonly timer: NodeJS.Timeout;
}

/** Calls of modern clients that wait for input, each under a sealed state that works once. */
export class Parking<Call extends ParkedCall> {
  readonly #seal = new StateSeal({
    key: randomBytes(KEY_BYTES),
    instance: randomBytes(INSTANCE_BYTES).toString('hex'),
  });
  readonly #patienceMs: number;
  readonly #places = new Map<string, ParkedEntry<Call>>();

  /** @param patienceMs how long a client may take, in milliseconds */
  constructor(patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Gives a call a place and returns its `requestState`; `undefined` when there are too many already. */
  park(call: Call): string | undefined {
    if (this.#places.size >= MAX_CALLS || this.#countOf(call.identity) >= MAX_CALLS_PER_CLIENT) return undefined;
    const nonce = randomUUID();
    const expiresAt = Date.now() + this.#patienceMs;
    const timer = setTimeout(() => this.#giveUp(call, 'the client did not answer in time'), this.#patienceMs).unref();
    this.#places.set(call.id, { call, nonce, timer });
    return this.#seal.seal({ callId: call.id, nonce, expiresAt, digest: call.digest });
  }

  /** Returns whether a state was made here, or pretends to be. */
  isOwn(state: string): boolean {
    return this.#seal.isOwn(state);
  }

  /** Returns the call that a state belongs to, or why there is none. The call stays parked until `leave`. */
  find(state: string, digest: string): Call | { readonly problem: string } {
    const facts = this.#seal.open(state);
    if (facts === undefined) return { problem: 'it was changed on its way' };
    if (facts.digest !== digest) return { problem: 'it belongs to another client, method or set of arguments' };
    if (facts.expiresAt <= Date.now()) return { problem: 'it has expired; make the call again without it' };
    const place = this.#places.get(facts.callId);
    if (place === undefined || place.nonce !== facts.nonce)
      return { problem: 'it was used already, or its call has ended' };
    return place.call;
  }

  /** Takes a call out of its place: its state is void from now on. */
  leave(call: Call): void {
    clearTimeout(this.#places.get(call.id)?.timer);
    this.#places.delete(call.id);
  }

  /** Gives up all calls: no client will return. `reason` is for their clients. */
  giveUpAll(reason: string): void {
    for (const { call } of this.#places.values()) this.#giveUp(call, reason);
  }

  #giveUp(call: Call, reason: string): void {
    this.leave(call);
    call.onGivenUp(reason);
  }

  #countOf(identity: string): number {
    let count = 0;
    for (const { call } of this.#places.values()) if (call.identity === identity) count++;
    return count;
  }
}
