import { afterAll, afterEach, beforeAll } from 'vitest';
import type { CheckpointStore } from '../../src/core/checkpoint-store.ts';
import { openCheckpointStore } from '../../src/store/checkpoints/open-checkpoint-store.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import type { Place } from './checkpoint-writers.ts';
import { temporaryFolder } from './gateway.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

export interface Opened {
  readonly store: CheckpointStore;
  readonly database: Database;
}

export const KINDS = ['SQLite', 'PostgreSQL'] as const;
export type Kind = (typeof KINDS)[number];

/** Places of a kind, and stores in them that are closed after the test. `undefined` where there is no such database. */
export function stores(kind: Kind) {
  let server: TestPostgres | undefined;
  const opened: Opened[] = [];

  beforeAll(async () => {
    if (kind === 'PostgreSQL') server = await startPostgres();
  });
  afterEach(async () => {
    for (const { store, database } of opened.splice(0)) {
      await store.close();
      await database.close();
    }
  });
  afterAll(() => server?.stop());

  return {
    newPlace: async (skip: () => never): Promise<Place> => {
      if (kind === 'SQLite') return { home: temporaryFolder() };
      if (server === undefined) return skip();
      return { home: temporaryFolder(), url: await server.newDatabase() };
    },
    open: (place: Place, keep?: number): Opened => {
      const database = openDatabase(place);
      const store = openCheckpointStore({ database, ...(keep !== undefined && { keep }) });
      opened.push({ store, database });
      return { store, database };
    },
  };
}
