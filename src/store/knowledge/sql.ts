/** A value of a column or of a parameter. */
export type SqlValue = string | number | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One open connection, or a pool of them. Parameters are `?` in both databases. */
export interface KnowledgeSql {
  readonly kind: 'sqlite' | 'postgres';
  /** Runs one statement and returns its rows. @throws GatewayError for what the database refuses */
  all(statement: string, ...parameters: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs `work` in a transaction that may write, one at a time in this thread, and again where other processes are in its
   * way. `work` uses the connection that it is given.
   * @throws GatewayError for what the database refuses; what `work` throws
   */
  transaction<T>(work: (sql: KnowledgeSql) => Promise<T>): Promise<T>;
  /** Gives room that is no longer used back to the disk, where the database does not do so by itself; later where it is busy. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the only row of a statement that gives at most one. */
export async function one(
  sql: KnowledgeSql,
  statement: string,
  ...parameters: readonly SqlValue[]
): Promise<SqlRow | undefined> {
  return (await sql.all(statement, ...parameters))[0];
}
