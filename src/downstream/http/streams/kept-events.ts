/** The bytes kept for all event streams together. The newest event is kept regardless of its size. */
const TOTAL_BYTES = 32 * 1024 * 1024;

/** A stream, as far as it keeps events for a client that comes back. */
export interface Keeper {
  readonly keptBytes: number;
  /** Drops all events that it keeps. */
  forget(): void;
}

/** Bounds the memory of events that are kept for clients that lost their connection: what was kept first is dropped first. */
export class KeptEvents {
  /** The keepers with the number of bytes that each keeps, least recently used first. */
  readonly #keepers = new Map<Keeper, number>();
  #bytes = 0;

  /** Notes what this stream keeps now, and has the oldest streams forget theirs where that is too much for all. */
  onKept(newest: Keeper): void {
    this.remove(newest);
    this.#keepers.set(newest, newest.keptBytes);
    this.#bytes += newest.keptBytes;
    for (const keeper of this.#keepers.keys()) {
      if (this.#bytes <= TOTAL_BYTES || keeper === newest) return;
      keeper.forget();
    }
  }

  /** Removes a stream that keeps nothing any more. */
  remove(keeper: Keeper): void {
    this.#bytes -= this.#keepers.get(keeper) ?? 0;
    this.#keepers.delete(keeper);
  }
}
