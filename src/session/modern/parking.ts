import { randomUUID } from 'node:crypto';
import { StateSeal } from '../../era/request-state.ts';

/** A call that waits until its client calls again. */
export interface ParkedCall {
  readonly id: string;
  /** Whose it is, as far as the protocol tells. */
  readonly identity: string;
  /** What is called, and with what. */
  readonly digest: string;
  /** The client has not come back in time, or never will. */
  onGivenUp(reason: string): void;
}

/** So long a client has to answer, in milliseconds: people are asked, and may be away from their desk. */
const PATIENCE_MS = 10 * 60_000;
const MAX_CALLS = 512;
const MAX_CALLS_PER_CLIENT = 16;

interface ParkedEntry<Call extends ParkedCall> {
  readonly call: Call;
  readonly nonce: string;
  readonly timer: NodeJS.Timeout;
}

/** Calls of modern clients that wait for input, each under a sealed state that works once. */
export class Parking<Call extends ParkedCall> {
  readonly #seal = new StateSeal();
  readonly #patienceMs: number;
  readonly #places = new Map<string, ParkedEntry<Call>>();

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

  /** Whether a state was made here, or pretends to be. */
  isOwn(state: string): boolean {
    return this.#seal.isOwn(state);
  }

  /** The call that a state belongs to, or why there is none. It stays parked until `leave`. */
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

  /** The call is not parked any more: its state is void. */
  leave(call: Call): void {
    clearTimeout(this.#places.get(call.id)?.timer);
    this.#places.delete(call.id);
  }

  /** Nobody will come back. */
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
