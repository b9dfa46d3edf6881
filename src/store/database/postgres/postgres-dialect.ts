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
import type { Sql, TransactionSql } from 'postgres';

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
    return new PooledConnection(this.#pool);
  }

  async beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : `isolation level ${isolationLevel}`;
    await connection.begin(`${level} ${accessMode ?? ''}`.trim());
  }

  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  /** Does nothing: the creator of the pool closes it. */
  async destroy(): Promise<void> {}
}

/** Ends a transaction of the pool with a rollback. */
class RolledBack extends Error {}

interface OpenTransaction {
  readonly sql: TransactionSql;
  end(how: 'commit' | 'rollback'): void;
  readonly ended: Promise<unknown>;
  isLost: boolean;
}

/**
 * One connection of the pool for a transaction, and any for what stands by itself. The pool's own way to reserve a
 * connection is not used: it never resolves where it has to connect again (3.4.9).
 */
class PooledConnection implements DatabaseConnection {
  readonly #pool: Sql;
  #transaction: OpenTransaction | undefined;

  constructor(pool: Sql) {
    this.#pool = pool;
  }

  begin(options: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = this.#pool.begin(options, (sql) => {
        const work = new Promise<void>((commit, rollBack) => {
          const end = (how: 'commit' | 'rollback') => (how === 'commit' ? commit() : rollBack(new RolledBack()));
          this.#transaction = { sql, end, ended, isLost: false };
        });
        resolve();
        return work;
      });
      ended.catch(reject);
    });
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    // The package would write its rollback to a socket that is gone, and throw where it cannot be caught (3.4.9).
    if (transaction?.isLost === true) return;
    transaction?.end(how);
    try {
      await transaction?.ended;
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const transaction = this.#transaction;
    const connection = transaction?.sql ?? this.#pool;
    const rows = await connection.unsafe(sql, [...parameters] as QueryParameters).catch((error: unknown) => {
      if (transaction !== undefined) transaction.isLost = isLoss(error);
      throw error;
    });
    return { rows: [...rows] as R[], numAffectedRows: BigInt(rows.count ?? 0) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries of this database are not streamed');
  }
}

/** Returns true if the connection is lost with the error, or about to be. */
function isLoss(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return severity === 'FATAL' || (typeof code === 'string' && /^(?:CONNECTION_|E[A-Z]+$)/.test(code));
}
