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
  readonly #clients = new Map<string, KnownClient>();

  constructor(open: (options: HttpClientOptions) => ModernClient) {
    this.#open = open;
  }

  of(route: ClientRoute): ModernClient {
    const id = idOf(route);
    const known = this.#clients.get(id);
    if (known === undefined && this.#clients.size >= MAX_CLIENTS) this.#endIdle(() => true, 1);
    const entry = known ?? { route, client: this.#begin(id, route), usedAt: 0 };
    entry.usedAt = performance.now();
    this.#clients.delete(id);
    this.#clients.set(id, entry);
    return entry.client;
  }

  endWhere(isOver: (route: ClientRoute) => boolean): void {
    for (const [id, { route, client }] of this.#clients) if (isOver(route)) this.#end(id, client);
  }

  keepHouse(now: number): void {
    this.#endIdle(({ usedAt }) => now - usedAt > IDLE_MS, MAX_CLIENTS);
  }

  #begin(id: string, { principal, profile }: ClientRoute): ModernClient {
    const hangUp = () => this.#clients.delete(id);
    const { access } = principal;
    return this.#open({ id, transport: 'http', isOneProgram: false, profile, access, principal, hangUp });
  }

  #endIdle(isOld: (entry: KnownClient) => boolean, most: number): void {
    let left = most;
    for (const [id, entry] of this.#clients) {
      if (left === 0) return;
      if (entry.client.isActive || !isOld(entry)) continue;
      left--;
      this.#end(id, entry.client);
    }
  }

  #end(id: string, client: ModernClient): void {
    this.#clients.delete(id);
    client.end();
  }
}

function idOf({ principal, profile }: ClientRoute): string {
  const way = profile === DEFAULT_PROFILE ? 'http' : `http/${profile}`;
  return principal.id === '' ? way : `${way} ${principal.id}`;
}
