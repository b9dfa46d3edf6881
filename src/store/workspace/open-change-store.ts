import type { UndoLimits } from '../../core/settings/workspace-settings.ts';
import type { ChangeQuery, ChangeStore, NewChange, StoredChange } from '../../core/stores/change-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';
import { isRowNumber } from '../database/values.ts';
import { type Machine, thisMachine } from '../this-machine.ts';
import {
  type Asker,
  dropOldest,
  insertChange,
  keepOthersOut,
  listChanges,
  readChange,
  settleChange,
} from './change-rows.ts';
import { packBytes, unpackBytes } from './packed-bytes.ts';

export interface ChangeStoreOptions {
  readonly database: Database;
  readonly limits: UndoLimits;
  /** The gateway's own folder, which knows the machine. */
  readonly home: string;
}

/** Opens the changes in a database. Closing the store leaves the database open: its opener closes it. */
export function openChangeStore(options: ChangeStoreOptions): ChangeStore {
  return new DatabaseChanges(options);
}

class DatabaseChanges implements ChangeStore {
  readonly #database: Database;
  readonly #limits: UndoLimits;
  readonly #home: string;
  readonly #underWay = new UnderWay();
  #machine: Machine | undefined;

  constructor({ database, limits, home }: ChangeStoreOptions) {
    this.#database = database;
    this.#limits = limits;
    this.#home = home;
  }

  async add(change: NewChange): Promise<number> {
    const packed = change.bytes && (await packBytes(change.bytes));
    return this.#write((engine) =>
      engine.queries.transaction().execute(async (transaction) => {
        const asker = this.#asker(engine);
        const id = await insertChange(transaction, asker, change, packed);
        const kept = change.undoes === undefined ? [id] : [id, change.undoes];
        await dropOldest(transaction, asker, { limits: this.#limits, kept });
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
    // If the lock is lost afterwards, the work has been done all the same.
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
    return this.#database.run((engine) => readChange(engine.queries, this.#asker(engine), id));
  }

  async bytesOf(id: number): Promise<Uint8Array | undefined> {
    if (!isRowNumber(id)) return undefined;
    const row = await this.#database.run(({ queries }) =>
      queries.selectFrom('workspace_changes').select('bytes').where('id', '=', id).executeTakeFirst(),
    );
    return row?.bytes ? unpackBytes(row.bytes) : undefined;
  }

  list(query: ChangeQuery): Promise<readonly StoredChange[]> {
    return this.#database.run((engine) => listChanges(engine.queries, this.#asker(engine), query));
  }

  /** Closes the store. Waits for operations that are under way. */
  async close(): Promise<void> {
    await this.#underWay.end();
  }

  #asker({ kind }: Engine): Asker {
    this.#machine ??= thisMachine(this.#home);
    return { machine: this.#machine, kind };
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
