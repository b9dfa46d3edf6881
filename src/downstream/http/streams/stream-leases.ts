import type { ServerResponse } from 'node:http';
import type { Principal } from '../../../core/access/principal.ts';
import { MAX_CONNECTIONS } from '../server/open-server.ts';

/** One principal may take half of the connections with streams that stay open: the others are for calls, and for others. */
export const MAX_STREAMS_OF_ONE = MAX_CONNECTIONS / 2;

interface Lease {
  readonly principal: string;
  readonly expiresAt: number;
}

/** Streams that stay open by themselves. Each lasts as long as the token that opened it: then clients must come with a new one. */
export class StreamLeases {
  readonly #streams = new Map<ServerResponse, Lease>();

  /**
   * Takes a stream into account. `expiresAt` is in milliseconds since the epoch. Returns false when its principal has too
   * many; the stream must be refused then.
   */
  hold(response: ServerResponse, { id }: Pick<Principal, 'id'>, expiresAt: number): boolean {
    if (this.#countOf(id) >= MAX_STREAMS_OF_ONE) return false;
    this.#streams.set(response, { principal: id, expiresAt });
    response.once('close', () => this.#streams.delete(response));
    return true;
  }

  closeExpired(now: number): void {
    for (const [response, { expiresAt }] of this.#streams) if (expiresAt <= now) response.destroy();
  }

  #countOf(id: string): number {
    let count = 0;
    for (const { principal } of this.#streams.values()) if (principal === id) count++;
    return count;
  }
}
