import type { CheckpointStore } from '../../../src/core/stores/checkpoint-store.ts';
import { openCheckpointStore } from '../../../src/store/checkpoints/open-checkpoint-store.ts';
import type { Database } from '../../../src/store/database/database.ts';
import type { Place } from './checkpoint-writers.ts';
import { databases, type Kind } from './databases.ts';

export interface Opened {
  readonly store: CheckpointStore;
  readonly database: Database;
}

/** Places of a kind, and stores in them that are closed after the test. */
export function stores(kind: Kind) {
  const { newPlace, open } = databases(kind);
  return {
    newPlace,
    open: (place: Place, keep?: number): Opened =>
      open(place, (database) => openCheckpointStore({ database, ...(keep !== undefined && { keep }) })),
  };
}
