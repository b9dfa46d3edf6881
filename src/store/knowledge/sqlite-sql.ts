import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Turns } from '../../core/timing/turns.ts';
import { endStatements } from '../database/end-statements.ts';
import { sqliteFaults } from '../database/sqlite/sqlite-faults.ts';
import type { SqliteConnection, SqliteStatement } from '../database/sqlite/sqlite-module.ts';
import { storeError, storeFailure } from '../database/store-errors.ts';
import { KNOWLEDGE_FILE } from './knowledge-file.ts';
import type { KnowledgeSql, SqlRow, SqlValue } from './sql.ts';
import { openKnowledgeFile } from './sqlite-file.ts';

/** The time for which to retry while another process holds the database. */
const LOCKED_FOR_MS = 30_000;
const PAUSE_MS = 20;
const MAX_STATEMENTS = 100;

/**
 * Opens the index in the gateway's folder, for one thread: statements keep it busy. One that is damaged is set aside first.
 * @throws GatewayError if it cannot be opened or a newer build has made it
 */
export async function openSqliteSql(home: string): Promise<KnowledgeSql> {
  const file = path.join(home, KNOWLEDGE_FILE);
  try {
    return new SqliteSql(await openKnowledgeFile(file), file);
  } catch (thrown) {
    throw storeError(thrown, file, sqliteFaults);
  }
}

class SqliteSql implements KnowledgeSql {
  readonly kind = 'sqlite';
  readonly #connection: SqliteConnection;
  readonly #place: string;
  readonly #turns = new Turns();
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: SqliteConnection, place: string) {
    this.#connection = connection;
    this.#place = place;
  }

  async all(statement: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    try {
      return this.#prepared(statement).all(...parameters) as SqlRow[];
    } catch (thrown) {
      throw storeError(thrown, this.#place, sqliteFaults);
    }
  }

  async transaction<T>(work: (sql: KnowledgeSql) => Promise<T>): Promise<T> {
    const endTurn = await this.#turns.next();
    try {
      await this.#begin();
      return await this.#inside(work);
    } catch (thrown) {
      throw storeError(thrown, this.#place, sqliteFaults);
    } finally {
      endTurn();
    }
  }

  async tidy(): Promise<void> {
    // Within a transaction that others have begun it would fail.
    const endTurn = await this.#turns.next();
    try {
      this.#connection.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(truncate)');
    } catch (thrown) {
      const failure = storeFailure(thrown, this.#place, sqliteFaults);
      if (failure?.isBusy !== true) throw failure?.error ?? thrown;
    } finally {
      endTurn();
    }
  }

  async close(): Promise<void> {
    const endTurn = await this.#turns.next();
    this.#statements.clear();
    await endStatements();
    if (this.#connection.isOpen) this.#connection.close();
    endTurn();
  }

  /** Begins a transaction. Only the beginning can meet another process: a transaction that has begun may write to its end. */
  async #begin(): Promise<void> {
    const until = performance.now() + LOCKED_FOR_MS;
    for (;;) {
      try {
        this.#connection.exec('BEGIN IMMEDIATE');
        return;
      } catch (thrown) {
        if (storeFailure(thrown, this.#place, sqliteFaults)?.isBusy !== true || performance.now() > until) throw thrown;
      }
      await pause(Math.random() * PAUSE_MS);
    }
  }

  async #inside<T>(work: (sql: KnowledgeSql) => Promise<T>): Promise<T> {
    try {
      const outcome = await work(this);
      this.#connection.exec('COMMIT');
      return outcome;
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    }
  }

  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // A full disk, say, has ended the transaction already.
    }
  }

  #prepared(statement: string): SqliteStatement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    const made = this.#connection.prepare(statement);
    if (this.#statements.size < MAX_STATEMENTS) this.#statements.set(statement, made);
    return made;
  }
}
