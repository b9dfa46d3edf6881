import type { ChangeQuery, ChangeStore, NewChange, StoredChange } from '../../core/change-store.ts';
import type { UndoLimits } from '../../core/workspace-settings.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';
import { dropOldest, insertChange, keepOthersOut, listChanges, readChange, settleChange } from './change-rows.ts';
import { packBytes, unpackBytes } from './packed-bytes.ts';

export interface ChangeStoreOptions {
  readonly database: Database;
  readonly limits: UndoLimits;
}

/** The changes in a database. Closing the store leaves the database open: whoever opened it closes it. */
export function openChangeStore({ database, limits }: ChangeStoreOptions): ChangeStore {
  return new DatabaseChanges(database, limits);
}

class DatabaseChanges implements ChangeStore {
  readonly #database: Database;
  readonly #limits: UndoLimits;
  readonly #underWay = new UnderWay();

  constructor(database: Database, limits: UndoLimits) {
    this.#database = database;
    this.#limits = limits;
  }

  async add(change: NewChange): Promise<number> {
    const packed = change.bytes && (await packBytes(change.bytes));
    return this.#write(({ queries }) =>
      queries.transaction().execute(async (transaction) => {
        const id = await insertChange(transaction, change, packed);
        await dropOldest(transaction, this.#limits, change.undoes === undefined ? [id] : [id, change.undoes]);
        return id;
      }),
    );
  }

  async alone(work: () => void): Promise<void> {
    let outcome: { readonly error?: unknown } | undefined;
    const lock = this.#write((engine) =>
      engine.queries.transaction().execute(async (transaction) => {
        await keepOthersOut(engine, transaction);
        outcome ??= outcomeOf(work);
      }),
    );
    // Where the lock is lost afterwards, the work has been done all the same.
    await lock.catch((error: unknown) => (outcome ??= { error }));
    if (outcome?.error !== undefined) throw outcome.error;
  }

  settle(id: number): Promise<void> {
    return this.#write(({ queries }) => queries.transaction().execute((transaction) => settleChange(transaction, id)));
  }

  async drop(id: number): Promise<void> {
    await this.#write(({ queries }) => queries.deleteFrom('workspace_changes').where('id', '=', id).execute());
  }

  get(id: number): Promise<StoredChange | undefined> {
    return this.#database.run(({ queries }) => readChange(queries, id));
  }

  async bytesOf(id: number): Promise<Uint8Array | undefined> {
    const row = await this.#database.run(({ queries }) =>
      queries.selectFrom('workspace_changes').select('bytes').where('id', '=', id).executeTakeFirst(),
    );
    return row?.bytes ? unpackBytes(row.bytes) : undefined;
  }

  list(query: ChangeQuery): Promise<readonly StoredChange[]> {
    return this.#database.run(({ queries }) => listChanges(queries, query));
  }

  /** What is under way is waited for. */
  async close(): Promise<void> {
    await this.#underWay.end();
  }

  #write<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return this.#underWay.add(this.#database.run(work));
  }
}

function outcomeOf(work: () => void): { readonly error?: unknown } {
  try {
    work();
    return {};
  } catch (error) {
    return { error };
  }
}
