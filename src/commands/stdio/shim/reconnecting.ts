import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Budget } from '../../../core/timing/budget.ts';

/** Finds the gateway that serves a client when the one before has ended. */
export interface GatewayFinder {
  /**
   * Connects to the gateway, or starts one. Resolves to `undefined` if there is none now, but may be soon.
   * @throws Error if there will be none for this client
   */
  reconnect(): Promise<Duplex | undefined>;
}

/** The time in which another gateway must be there, in milliseconds. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
/** The number of gateways that may follow one another. */
const REPLACEMENTS = { burst: 10, perSecond: 1 / 30 };

/** Reaches one gateway after another for a client, within limits. */
export class Reconnecting {
  readonly #finder: GatewayFinder;
  readonly #budget = new Budget(REPLACEMENTS);

  constructor(finder: GatewayFinder) {
    this.#finder = finder;
  }

  /**
   * Tries to reach a gateway until one is there. Resolves to `undefined` when `isWanted` says no.
   * @throws Error if there will be none for this client
   */
  async next(isWanted: () => boolean): Promise<Duplex | undefined> {
    if (!this.#budget.take()) throw new Error('one gateway after another has ended');
    const deadline = performance.now() + PATIENCE_MS;
    for (let pause = FIRST_PAUSE_MS; isWanted(); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const socket = await this.#finder.reconnect();
      if (socket !== undefined) return socket;
      if (performance.now() > deadline) throw new Error('no other one has taken its place');
      await delay(pause);
    }
    return undefined;
  }
}
