import { Kysely } from 'kysely';
import type postgres from 'postgres';
import type { Tables } from '../tables.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { type PoolOptions, postgresPool } from './postgres-pool.ts';

export interface PostgresConnection {
  readonly pool: postgres.Sql;
  readonly queries: Kysely<Tables>;
  /** Closes all connections; queries that still run have a second. */
  readonly end: () => Promise<void>;
}

/** Returns a pool as `postgresPool` makes it, with queries on our tables. */
export function connectPostgres(url: string, options: PoolOptions): PostgresConnection {
  const pool = postgresPool(url, options);
  const queries = new Kysely<Tables>({ dialect: postgresDialect(pool) });
  return {
    pool,
    queries,
    async end() {
      await queries.destroy();
      await pool.end({ timeout: 1 });
    },
  };
}
