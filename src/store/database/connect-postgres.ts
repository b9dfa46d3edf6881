import { Kysely } from 'kysely';
import postgres from 'postgres';
import { postgresDialect } from './postgres-dialect.ts';
import { postgresOptions } from './postgres-options.ts';
import type { Tables } from './tables.ts';

const CONNECT_WITHIN_S = 10;
const IDLE_S = 60;

export interface PostgresConnection {
  readonly pool: postgres.Sql;
  readonly queries: Kysely<Tables>;
  /** Closes all connections; queries that still run have a second. */
  readonly end: () => Promise<void>;
}

/** Returns a pool of connections to a `postgres://` url. Nothing is connected before the first query. */
export function connectPostgres(
  url: string,
  options: { readonly max: number; readonly connect_timeout?: number },
): PostgresConnection {
  const pool = postgres({
    connect_timeout: CONNECT_WITHIN_S,
    idle_timeout: IDLE_S,
    ...postgresOptions(url),
    ...options,
    fetch_types: false,
    onnotice: () => undefined,
  });
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
