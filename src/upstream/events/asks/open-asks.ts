import type { ByteString } from '../../../wire/bytes.ts';
import { idKey } from '../../../wire/ids.ts';
import type { AskedCall, OpenAsk } from './open-ask.ts';

/** The number of questions that a server may have open; no sound server asks more at once. */
const MAX_OPEN = 64;

/** The requests of an upstream that are not answered yet, by the upstream's ids. */
export class OpenAsks {
  readonly #byId = new Map<string, OpenAsk>();

  /** Tells whether one more would be too many. */
  get isFull(): boolean {
    return this.#byId.size >= MAX_OPEN;
  }

  get limit(): number {
    return MAX_OPEN;
  }

  has(id: ByteString): boolean {
    return this.#byId.has(idKey(id));
  }

  add(ask: OpenAsk): void {
    this.#byId.set(idKey(ask.message.id), ask);
  }

  /** Removes and returns the request with this id; `undefined` if none is open. */
  take(id: ByteString): OpenAsk | undefined {
    const ask = this.#byId.get(idKey(id));
    this.#byId.delete(idKey(id));
    return ask;
  }

  /** Removes and returns all requests. */
  takeAll(): readonly OpenAsk[] {
    const asks = [...this.#byId.values()];
    this.#byId.clear();
    return asks;
  }

  /** Returns whether this request is still open. */
  isOpen(ask: OpenAsk): boolean {
    return this.#byId.get(idKey(ask.message.id)) === ask;
  }

  /** Iterates over the open requests; one that is taken meanwhile is left out. */
  values(): Iterable<OpenAsk> {
    return this.#byId.values();
  }

  /**
   * Returns whether one more question may be given to a client because of this call. Of the calls that a question may belong
   * to, one waits for its answer.
   * @param maxWaiting the number of calls that may wait for their clients at one time
   */
  mayWait(call: AskedCall, maxWaiting: number): boolean {
    const given = [...this.#byId.values()].filter(({ isGiven, suspects }) => isGiven && suspects.size > 0);
    if (given.length < maxWaiting) return true;
    const waiting = new Set(given.flatMap(({ suspects }) => [...suspects]));
    return waiting.has(call) || waiting.size < maxWaiting;
  }
}
