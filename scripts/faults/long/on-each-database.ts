import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Place } from '../../../test/support/stores/checkpoint-writers.ts';
import { startPostgres } from '../../../test/support/stores/postgres.ts';

/** Runs a proof on SQLite, then on a PostgreSQL with its default durability, if there is one. Returns the outcomes. */
export async function onEachDatabase<T>(proof: (name: string, place: Place) => Promise<T>): Promise<T[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-kills-'));
  const server = await startPostgres({ durable: true });
  try {
    const outcomes = [await proof('SQLite', { home })];
    if (server === undefined) return outcomes;
    outcomes.push(await proof('PostgreSQL', { home, url: await server.newDatabase() }));
    return outcomes;
  } finally {
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
