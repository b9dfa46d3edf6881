import type { ServerResponse } from 'node:http';

/** Streams that stay open by themselves last as long as the token that opened them: then clients must come with a new one. */
export class StreamLeases {
  readonly #streams = new Map<ServerResponse, number>();

  /** `expiresAt` in milliseconds since the epoch. */
  hold(response: ServerResponse, expiresAt: number): void {
    if (expiresAt === Number.POSITIVE_INFINITY) return;
    this.#streams.set(response, expiresAt);
    response.once('close', () => this.#streams.delete(response));
  }

  closeExpired(now: number): void {
    for (const [response, expiresAt] of this.#streams) if (expiresAt <= now) response.destroy();
  }
}
