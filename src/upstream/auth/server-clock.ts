import type { FetchLike } from '@modelcontextprotocol/client';

/** The difference between the clocks that no server refuses, in milliseconds. */
const TOLERANCE_MS = 30_000;

/** Measures how far the clock of the server that responded last differs from ours. */
export class ServerClock {
  readonly fetch: FetchLike;
  #aheadMs = 0;

  constructor(fetchFn: FetchLike) {
    this.fetch = async (url, init) => {
      const response = await fetchFn(url, init);
      const date = Date.parse(response.headers.get('date') ?? '');
      this.#aheadMs = Number.isNaN(date) ? 0 : date - Date.now();
      return response;
    };
  }

  /** Follows what was refused; `''` if the clocks agree. */
  hint(): string {
    if (Math.abs(this.#aheadMs) < TOLERANCE_MS) return '';
    const seconds = Math.round(Math.abs(this.#aheadMs) / 1_000);
    return `; its clock is ${seconds} s ${this.#aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine: set it right`;
  }
}
