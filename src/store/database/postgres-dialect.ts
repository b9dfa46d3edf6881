import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { ReservedSql, Sql } from 'postgres';

type QueryParameters = NonNullable<Parameters<Sql['unsafe']>[1]>;

/** Kysely on a pool of the `postgres` package. */
export function postgresDialect(pool: Sql): Dialect {
  return {
    createDriver: () => new PostgresDriver(pool),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

class PostgresDriver implements Driver {
  readonly #pool: Sql;

  constructor(pool: Sql) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.reserve());
  }

  async beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    await connection.command(`begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.command('commit');
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.command('rollback');
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
  }

  /** The pool belongs to whoever made it. */
  async destroy(): Promise<void> {}
}

class PooledConnection implements DatabaseConnection {
  readonly #reserved: ReservedSql;

  constructor(reserved: ReservedSql) {
    this.#reserved = reserved;
  }

  async command(text: string): Promise<void> {
    await this.#reserved.unsafe(text);
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.#reserved.unsafe(sql, [...parameters] as QueryParameters);
    return { rows: [...rows] as R[], numAffectedRows: BigInt(rows.count ?? 0) };
  }

  // biome-ignore lint/correctness/useYield: the interface has it, nobody here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries of this database are not streamed');
  }

  release(): void {
    this.#reserved.release();
  }
}
