import { sql } from 'kysely';
import type postgres from 'postgres';
import type { Engine } from '../engine.ts';
import { migrate } from '../migrations.ts';
import { connectPostgres } from './connect-postgres.ts';

/** Enough for one process: its writes of one project follow each other. */
const MAX_CONNECTIONS = 4;
const CHANNEL = 'viaduct_changes';

/** @throws the system's error, or PostgreSQL's */
export async function openPostgres(url: string): Promise<Engine> {
  const { pool, queries, end } = connectPostgres(url, { max: MAX_CONNECTIONS });
  try {
    await migrate(queries, 'postgres');
  } catch (error) {
    await pool.end({ timeout: 0 });
    throw error;
  }
  return {
    kind: 'postgres',
    queries,
    isStale: () => false,
    watch: (onWake) => listen(pool, onWake),
    announce: async (within, word) => void (await sql`select pg_notify(${CHANNEL}, ${word})`.execute(within)),
    shrink: async () => undefined,
    close: end,
  };
}

/** Listens for wake-ups. After a connection was lost, it is unknown which were missed, so `onWake` is called without a word. */
function listen(pool: postgres.Sql, onWake: (word?: string) => void): () => void {
  let isStopped = false;
  let connections = 0;
  const onListen = () => {
    if (++connections > 1 && !isStopped) onWake();
  };
  const onWord = (word: string) => {
    if (!isStopped) onWake(word);
  };
  // If it cannot be made at first, it is made when the database is opened again.
  const listening = pool.listen(CHANNEL, onWord, onListen).catch(() => undefined);
  return () => {
    isStopped = true;
    void listening.then((made) => made?.unlisten()).catch(() => undefined);
  };
}
