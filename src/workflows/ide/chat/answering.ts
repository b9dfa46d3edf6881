import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isGone, ownerName } from '../../../core/processes/owner.ts';
import type { ChatStore } from '../../../core/stores/chat-store.ts';
import { Turns } from '../../../core/timing/turns.ts';
import { unlessAborted } from '../../../core/timing/unless-aborted.ts';

/** Time between two looks whether another gateway has answered. */
const LOOK_MS = 200;
/** Time between two signs that this gateway still answers. */
const SIGN_MS = 5_000;

/** Answers the messages of a session one after another, regardless of the gateway that they came to. */
export class Answering {
  readonly #store: ChatStore;
  readonly #onKept: (error: unknown) => void;
  readonly #owner = ownerName(randomUUID());
  readonly #turns = new Map<string, Turns>();

  /** @param onKept hears why a session could not be given back; others take it over after a minute */
  constructor(store: ChatStore, onKept: (error: unknown) => void) {
    this.#store = store;
    this.#onKept = onKept;
  }

  /**
   * Does some work if no other process answers the session. Until it ends, the session counts as being answered.
   * @throws the reason of `signal` where that is aborted before the work begins; what the work throws
   */
  async run<T>(sessionId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const endTurn = await this.#turn(sessionId, signal);
    try {
      await this.#take(sessionId, signal);
      return await this.#working(sessionId, work);
    } finally {
      this.#end(sessionId, endTurn);
    }
  }

  /** Among the messages that came to this gateway. */
  async #turn(sessionId: string, signal: AbortSignal): Promise<() => void> {
    const turns = this.#turns.get(sessionId) ?? new Turns();
    this.#turns.set(sessionId, turns);
    const turn = turns.next();
    try {
      return await unlessAborted(turn, signal);
    } catch (error) {
      void turn.then((endTurn) => this.#end(sessionId, endTurn));
      throw error;
    }
  }

  #end(sessionId: string, endTurn: () => void): void {
    endTurn();
    if (this.#turns.get(sessionId)?.isIdle === true) this.#turns.delete(sessionId);
  }

  /** Among all gateways. */
  async #take(sessionId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (await this.#store.take(sessionId, this.#owner, isGone)) return;
      await pause(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  async #working<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    // The database is busy or away: what writes to it next says so.
    const sign = () => void this.#store.keep(sessionId, this.#owner).catch(() => undefined);
    const timer = setInterval(sign, SIGN_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await this.#store.release(sessionId, this.#owner).catch((error) => this.#onKept(error));
    }
  }
}
