import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { Turns } from '../../../core/timing/turns.ts';
import { endStatements } from '../end-statements.ts';
import { isSqliteBusy } from './sqlite-faults.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite-module.ts';

/** A transaction tries so often to begin while another process writes. Meanwhile no other work of this process uses the database. */
const TRIES = 40;
/** The longest pause between two tries, in milliseconds. */
const PAUSE_MS = 2;
/** Statements that are kept prepared; there are fewer in this program. */
const MAX_STATEMENTS = 100;
const WRITING: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** Kysely on one open connection. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createDriver: () => new SqliteDriver(connection),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class SqliteDriver implements Driver {
  readonly #sqlite: SqliteConnection;
  readonly #connection: StatementRunner;
  readonly #turns = new Turns();
  #endTurn: () => void = () => undefined;

  constructor(sqlite: SqliteConnection) {
    this.#sqlite = sqlite;
    this.#connection = new StatementRunner(sqlite);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#endTurn = await this.#turns.next();
    return this.#connection;
  }

  /** Begins as a writer if it will write: two transactions that begin as readers could not both become writers. */
  async beginTransaction(_connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    if (accessMode === 'read only') this.#sqlite.exec('BEGIN');
    else await this.#beginToWrite();
  }

  /** Waits a short while for a writer of another process, which needs a few milliseconds for most transactions. */
  async #beginToWrite(): Promise<void> {
    for (let left = TRIES - 1; ; left--) {
      try {
        this.#sqlite.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (left === 0 || !isSqliteBusy(error)) throw error;
      }
      await pause(Math.random() * PAUSE_MS);
    }
  }

  async commitTransaction(): Promise<void> {
    this.#sqlite.exec('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    try {
      this.#sqlite.exec('ROLLBACK');
    } catch {
      // A full disk, for example, has ended the transaction already. The caller that rolls back knows the error.
    }
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  /** Closes the database in its turn, when it is not in use. */
  async destroy(): Promise<void> {
    const endTurn = await this.#turns.next();
    this.#connection.forgetStatements();
    await endStatements();
    if (this.#sqlite.isOpen) this.#sqlite.close();
    endTurn();
  }
}

class StatementRunner implements DatabaseConnection {
  readonly #sqlite: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(sqlite: SqliteConnection) {
    this.#sqlite = sqlite;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepared(sql);
    const givesRows = !WRITING.has(query.kind) || ('returning' in query && query.returning !== undefined);
    if (givesRows) return { rows: statement.all(...parameters) as R[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  forgetStatements(): void {
    this.#statements.clear();
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries of this database are not streamed');
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#sqlite.prepare(sql);
    if (this.#statements.size < MAX_STATEMENTS) this.#statements.set(sql, statement);
    return statement;
  }
}
