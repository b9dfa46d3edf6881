import postgres from 'postgres';
import { postgresOptions } from './postgres-options.ts';

const CONNECT_WITHIN_S = 10;
const IDLE_S = 60;

export interface PoolOptions {
  /** Connections at a time. */
  readonly max: number;
  /** In seconds; 10 without it. */
  readonly connect_timeout?: number;
  /** In seconds; 60 without it, and 0 for never. */
  readonly idle_timeout?: number;
  /** Types of columns that are read and written in another way. */
  readonly types?: Record<string, postgres.PostgresType>;
}

/** Returns a pool of connections to a `postgres://` url. Nothing is connected before the first query. */
export function postgresPool(url: string, options: PoolOptions): postgres.Sql {
  return postgres({
    connect_timeout: CONNECT_WITHIN_S,
    idle_timeout: IDLE_S,
    ...postgresOptions(url),
    ...options,
    fetch_types: false,
    onnotice: () => undefined,
  }) as unknown as postgres.Sql;
}
