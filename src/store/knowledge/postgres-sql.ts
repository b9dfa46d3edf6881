import { setTimeout as pause } from 'node:timers/promises';
import type postgres from 'postgres';
import { shownPlace } from '../../core/addresses/shown-place.ts';
import { Turns } from '../../core/timing/turns.ts';
import { postgresFaults } from '../database/postgres/postgres-faults.ts';
import { postgresPool } from '../database/postgres/postgres-pool.ts';
import { storeError, storeFailure } from '../database/store-errors.ts';
import { makePostgresTables } from './postgres-tables.ts';
import type { KnowledgeSql, SqlRow, SqlValue } from './sql.ts';

/** For one thread: reads beside its one transaction. */
const MAX_CONNECTIONS = 2;
const BUSY_FOR_MS = 30_000;
const PAUSE_MS = 50;
/** Whole numbers of 64 bits: ours all fit into a number. */
const BIGINT = { to: 20, from: [20], parse: Number, serialize: String };

type Connection = postgres.Sql | postgres.TransactionSql;
type Parameters = NonNullable<globalThis.Parameters<postgres.Sql['unsafe']>[1]>;

/** Opens the index in a PostgreSQL database, for one thread. @throws GatewayError if that cannot be done */
export async function openPostgresSql(url: string): Promise<KnowledgeSql> {
  const place = shownPlace(url);
  const pool = postgresPool(url, { max: MAX_CONNECTIONS, types: { bigint: BIGINT } });
  const sql = new PostgresSql(pool, place);
  try {
    await makePostgresTables(sql);
    return sql;
  } catch (error) {
    await pool.end({ timeout: 0 });
    throw error;
  }
}

class PostgresSql implements KnowledgeSql {
  readonly kind = 'postgres';
  readonly #pool: postgres.Sql;
  readonly #place: string;
  readonly #turns = new Turns();

  constructor(pool: postgres.Sql, place: string) {
    this.#pool = pool;
    this.#place = place;
  }

  async all(statement: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    try {
      return await run(this.#pool, statement, parameters);
    } catch (thrown) {
      throw storeError(thrown, this.#place, postgresFaults);
    }
  }

  async transaction<T>(work: (sql: KnowledgeSql) => Promise<T>): Promise<T> {
    const endTurn = await this.#turns.next();
    try {
      return await this.#repeated(work);
    } finally {
      endTurn();
    }
  }

  /** PostgreSQL does so by itself. */
  async tidy(): Promise<void> {}

  async close(): Promise<void> {
    await this.#pool.end({ timeout: 1 });
  }

  async #repeated<T>(work: (sql: KnowledgeSql) => Promise<T>): Promise<T> {
    const until = performance.now() + BUSY_FOR_MS;
    for (;;) {
      try {
        return (await this.#pool.begin((connection) => work(within(connection)))) as T;
      } catch (thrown) {
        const failure = storeFailure(thrown, this.#place, postgresFaults);
        if (failure?.isBusy !== true || performance.now() > until) throw failure?.error ?? thrown;
      }
      await pause(Math.random() * PAUSE_MS);
    }
  }
}

function within(connection: postgres.TransactionSql): KnowledgeSql {
  const sql: KnowledgeSql = {
    kind: 'postgres',
    all: (statement, ...parameters) => run(connection, statement, parameters),
    transaction: (work) => work(sql),
    tidy: async () => undefined,
    close: async () => undefined,
  };
  return sql;
}

async function run(
  connection: Connection,
  statement: string,
  parameters: readonly SqlValue[],
): Promise<readonly SqlRow[]> {
  const rows = await connection.unsafe(numbered(statement), [...parameters] as Parameters, { prepare: true });
  return [...rows] as unknown as readonly SqlRow[];
}

const known = new Map<string, string>();

/** `?` as PostgreSQL has it. Statements have no question mark in their texts. */
function numbered(statement: string): string {
  const found = known.get(statement);
  if (found !== undefined) return found;
  let count = 0;
  const text = statement.replaceAll('?', () => `$${++count}`);
  if (known.size < 200) known.set(statement, text);
  return text;
}
