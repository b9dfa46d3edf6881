import type { EngineKind, Queries } from './tables.ts';

/** One kind of database, open. */
export interface Engine {
  readonly kind: EngineKind;
  readonly queries: Queries;
  /** Returns true if the open file is no longer the one that other processes open: it was removed or replaced. */
  isStale(): boolean;
  /**
   * Calls `onWake` when another process may have changed something: with what `announce` said, where the database
   * carries that, else without. Returns how to stop it. Keeps no process alive.
   */
  watch(onWake: (word?: string) => void): () => void;
  /** Within a transaction: tells the other processes, where the database does not show its changes by itself. */
  announce(queries: Queries, word: string): Promise<void>;
  /** Gives room that is no longer used back to the disk; ends early once it is called off. */
  shrink(callOff?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
