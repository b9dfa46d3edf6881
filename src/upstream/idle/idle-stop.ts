import type { ClientFacts } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { ConnectionState } from '../connection/machine.ts';
import { isLive } from '../connection/machine.ts';
import { idleStopMs } from '../entry/start-rule.ts';

/**
 * The time without a call after which a modern client counts as gone, in milliseconds: such clients do not say when they
 * leave.
 */
const FORGOTTEN_MS = 10 * 60 * 1000;
/** The longest time that a timer can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface IdleStopHost {
  readonly entry: UpstreamEntry;
  state(): ConnectionState;
  /** Returns whether a client would miss the upstream: it has open calls, subscriptions or tasks. */
  isBusy(): boolean;
  /** Stops the upstream until the next call. */
  stop(reason: string): void;
}

interface User {
  readonly isModern: boolean;
  lastCall: number;
}

/**
 * Stops an upstream that nobody uses. It may keep state for the clients that have called it since its start, so it goes on
 * for as long as one of them is connected, unless the config says that it is stateless.
 */
export class IdleStop {
  readonly #host: IdleStopHost;
  /** The clients that have called since the start. */
  readonly #users = new Map<string, User>();
  #lastUse = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: IdleStopHost) {
    this.#host = host;
  }

  /** Notes a call, before it is sent or waits for a start. */
  onCall({ clientId, era }: Pick<ClientFacts, 'clientId' | 'era'>): void {
    const now = Date.now();
    this.#lastUse = now;
    const user = this.#users.get(clientId);
    if (user === undefined) this.#users.set(clientId, { isModern: era === 'modern', lastCall: now });
    else user.lastCall = now;
  }

  onSessionEnded(sessionId: string): void {
    if (this.#users.delete(sessionId)) this.#lastUse = Date.now();
  }

  onState(state: ConnectionState): void {
    if (state.name === 'ready') this.#begin();
    else if (!isLive(state)) this.#end();
  }

  /** The rules of the entry are others now. */
  onRulesChanged(): void {
    if (this.#host.state().name === 'ready') this.#arm(0);
  }

  #begin(): void {
    this.#lastUse = Date.now();
    this.#arm(idleStopMs(this.#host.entry));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#users.clear();
  }

  #arm(waitMs: number): void {
    clearTimeout(this.#timer);
    if (idleStopMs(this.#host.entry) === 0) return;
    this.#timer = setTimeout(() => this.#look(), Math.min(waitMs, MAX_TIMER_MS)).unref();
  }

  #look(): void {
    const limitMs = idleStopMs(this.#host.entry);
    if (limitMs === 0) return;
    const now = Date.now();
    if (this.#host.isBusy() || this.#hasUsers(now)) this.#lastUse = now;
    const leftMs = this.#lastUse + limitMs - now;
    if (leftMs > 0) this.#arm(leftMs);
    else this.#host.stop(`it was not used for ${spokenTime(limitMs)}; it starts with the next call`);
  }

  /** Clients that have gone without a word do not count. */
  #hasUsers(now: number): boolean {
    if (this.#host.entry.stateless) return false;
    for (const [clientId, { isModern, lastCall }] of this.#users)
      if (isModern && now - lastCall >= FORGOTTEN_MS) this.#users.delete(clientId);
    return this.#users.size > 0;
  }
}

function spokenTime(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return `${ms} ms`;
  if (seconds < 120) return `${seconds} s`;
  return `${Math.round(seconds / 60)} min`;
}
