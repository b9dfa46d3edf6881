import { DEFAULT_PROFILE } from '../../../core/access/client-grant.ts';
import type { ModernClient, ModernClientOptions } from '../../../session/modern/modern-client.ts';
import type { ClientRoute } from './client-route.ts';

const IDLE_MS = 30 * 60_000;
const MAX_CLIENTS = 1_000;

interface KnownClient {
  readonly route: ClientRoute;
  readonly client: ModernClient;
  usedAt: number;
}

/** The options of a client that the HTTP server knows; the gateway decides which folders the client may name. */
export type HttpClientOptions = Omit<ModernClientOptions, 'folderRule'>;

/** The clients of the modern era, by route: what one of them has begun cannot be reached by another. */
export class ModernClients {
  readonly #open: (options: HttpClientOptions) => ModernClient;
  /** The least recently used first. */
  readonly #places = new Map<string, KnownClient>();

  constructor(open: (options: HttpClientOptions) => ModernClient) {
    this.#open = open;
  }

  of(route: ClientRoute): ModernClient {
    const id = idOf(route);
    const known = this.#places.get(id);
    if (known === undefined && this.#places.size >= MAX_CLIENTS) this.#endIdle(() => true, 1);
    const place = known ?? { route, client: this.#begin(id, route), usedAt: 0 };
    place.usedAt = performance.now();
    this.#places.delete(id);
    this.#places.set(id, place);
    return place.client;
  }

  endWhere(isOver: (route: ClientRoute) => boolean): void {
    for (const [id, { route, client }] of this.#places) if (isOver(route)) this.#end(id, client);
  }

  keepHouse(now: number): void {
    this.#endIdle(({ usedAt }) => now - usedAt > IDLE_MS, MAX_CLIENTS);
  }

  #begin(id: string, { principal, profile }: ClientRoute): ModernClient {
    const hangUp = () => this.#places.delete(id);
    const { access } = principal;
    return this.#open({ id, transport: 'http', isOneProgram: false, profile, access, principal, hangUp });
  }

  #endIdle(isOld: (place: KnownClient) => boolean, most: number): void {
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

function idOf({ principal, profile }: ClientRoute): string {
  const way = profile === DEFAULT_PROFILE ? 'http' : `http/${profile}`;
  return principal.id === '' ? way : `${way} ${principal.id}`;
}
