import type { Principal } from '../../core/principal.ts';
import type { ModernClient } from '../../session/modern-client.ts';

const IDLE_MS = 30 * 60_000;
const MAX_CLIENTS = 1_000;

interface Place {
  readonly client: ModernClient;
  usedAt: number;
}

/** Whoever calls in the modern era, by who they have proved to be: nothing that one has begun is another's. */
export class ModernClients {
  readonly #open: (principal: Principal) => ModernClient;
  /** The least recently used first. */
  readonly #places = new Map<string, Place>();

  constructor(open: (principal: Principal) => ModernClient) {
    this.#open = open;
  }

  of(principal: Principal): ModernClient {
    const { id } = principal;
    const place = this.#places.get(id) ?? { client: this.#open(principal), usedAt: 0 };
    place.usedAt = performance.now();
    this.#places.delete(id);
    this.#places.set(id, place);
    if (this.#places.size > MAX_CLIENTS) this.#endIdle(() => true, 1);
    return place.client;
  }

  endWhere(isStale: (principalId: string) => boolean): void {
    for (const [id, { client }] of this.#places) if (isStale(id)) this.#end(id, client);
  }

  keepHouse(now: number): void {
    this.#endIdle(({ usedAt }) => now - usedAt > IDLE_MS, MAX_CLIENTS);
  }

  #endIdle(isOld: (place: Place) => boolean, most: number): void {
    let left = most;
    for (const [id, place] of this.#places) {
      if (left === 0) return;
      if (place.client.isActive || !isOld(place)) continue;
      left--;
      this.#end(id, place.client);
    }
  }

  #end(id: string, client: ModernClient): void {
    this.#places.delete(id);
    client.end();
  }
}
